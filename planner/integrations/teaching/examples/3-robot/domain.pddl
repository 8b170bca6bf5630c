; A robot with a battery collects samples; driving empties the battery, which is charged at some places.
(define (domain rover-school)
  (:requirements :strips :typing :negative-preconditions)
  (:types place level)
  (:predicates (at ?p - place)
               (next-to ?p ?q - place)
               (station ?p - place)
               (battery ?l - level)
               (less ?l ?m - level)
               (full ?l - level)
               (sample ?p - place)
               (collected ?p - place))
  (:action drive
    :parameters (?p ?q - place ?l ?m - level)
    :precondition (and (at ?p) (next-to ?p ?q) (battery ?l) (less ?m ?l))
    :effect (and (at ?q) (not (at ?p)) (battery ?m) (not (battery ?l))))
  (:action charge
    :parameters (?p - place ?l ?m - level)
    :precondition (and (at ?p) (station ?p) (battery ?l) (full ?m))
    :effect (and (battery ?m) (not (battery ?l))))
  (:action collect
    :parameters (?p - place)
    :precondition (and (at ?p) (sample ?p) (not (collected ?p)))
    :effect (collected ?p)))
