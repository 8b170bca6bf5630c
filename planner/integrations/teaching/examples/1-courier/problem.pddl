; Four parcels for three addresses.
(define (problem four-parcels)
  (:domain deliveries)
  (:objects depot mill farm inn - place
            books seeds cheese lamp - parcel
            front back - slot)
  (:init
    (van depot) (free front) (free back)
    (at books depot) (at seeds depot) (at cheese farm) (at lamp inn)
    (road depot mill) (road mill depot)
    (road mill farm) (road farm mill)
    (road mill inn) (road inn mill)
    (road farm inn) (road inn farm)
    (= (length depot mill) 4) (= (length mill depot) 4)
    (= (length mill farm) 3) (= (length farm mill) 3)
    (= (length mill inn) 5) (= (length inn mill) 5)
    (= (length farm inn) 3) (= (length inn farm) 3)
    (= (total-cost) 0))
  (:goal (and (at books inn) (at seeds farm) (at cheese mill)
              (at lamp depot)))
  (:metric minimize (total-cost)))
