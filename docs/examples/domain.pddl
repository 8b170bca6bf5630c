; A courier carries parcels between places. Driving costs what the road is long, handling a parcel costs 1.
(define (domain courier)
  (:requirements :strips :typing :action-costs)
  (:types place thing - object
          vehicle parcel - thing)
  (:predicates (at ?t - thing ?p - place)
               (in ?p - parcel ?v - vehicle)
               (road ?a ?b - place)
               (room ?v - vehicle))
  (:functions (length ?a ?b - place) - number
              (total-cost) - number)
  (:action drive
    :parameters (?v - vehicle ?a ?b - place)
    :precondition (and (at ?v ?a) (road ?a ?b))
    :effect (and (at ?v ?b) (not (at ?v ?a))
                 (increase (total-cost) (length ?a ?b))))
  (:action load
    :parameters (?v - vehicle ?p - parcel ?a - place)
    :precondition (and (at ?v ?a) (at ?p ?a) (room ?v))
    :effect (and (in ?p ?v) (not (at ?p ?a)) (not (room ?v))
                 (increase (total-cost) 1)))
  (:action unload
    :parameters (?v - vehicle ?p - parcel ?a - place)
    :precondition (and (at ?v ?a) (in ?p ?v))
    :effect (and (at ?p ?a) (room ?v) (not (in ?p ?v))
                 (increase (total-cost) 1))))
