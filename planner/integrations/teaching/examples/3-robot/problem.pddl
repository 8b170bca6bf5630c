; The battery lasts for three drives.
(define (problem three-samples)
  (:domain rover-school)
  (:objects base hill lake wood cave - place
            l0 l1 l2 l3 - level)
  (:init
    (at base) (station base) (station wood)
    (next-to base hill) (next-to hill base)
    (next-to hill lake) (next-to lake hill)
    (next-to lake wood) (next-to wood lake)
    (next-to wood cave) (next-to cave wood)
    (less l0 l1) (less l1 l2) (less l2 l3)
    (full l3) (battery l3)
    (sample hill) (sample lake) (sample cave))
  (:goal (and (collected hill) (collected lake) (collected cave)
              (at base))))
