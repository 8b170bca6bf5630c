; Deliveries: roads have different lengths, and the van carries two parcels.
(define (domain deliveries)
  (:requirements :strips :typing :action-costs)
  (:types place parcel slot)
  (:predicates (van ?p - place)
               (at ?x - parcel ?p - place)
               (in ?x - parcel ?s - slot)
               (free ?s - slot)
               (road ?p ?q - place))
  (:functions (length ?p ?q - place) - number
              (total-cost) - number)
  (:action drive
    :parameters (?p ?q - place)
    :precondition (and (van ?p) (road ?p ?q))
    :effect (and (van ?q) (not (van ?p))
                 (increase (total-cost) (length ?p ?q))))
  (:action load
    :parameters (?x - parcel ?p - place ?s - slot)
    :precondition (and (van ?p) (at ?x ?p) (free ?s))
    :effect (and (in ?x ?s) (not (at ?x ?p)) (not (free ?s))
                 (increase (total-cost) 1)))
  (:action unload
    :parameters (?x - parcel ?p - place ?s - slot)
    :precondition (and (van ?p) (in ?x ?s))
    :effect (and (at ?x ?p) (free ?s) (not (in ?x ?s))
                 (increase (total-cost) 1))))
