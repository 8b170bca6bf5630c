; A task without a plan: ask why. Two lamps, a switch, and a fuse that somebody forgot.
(define (domain lamps)
  (:requirements :strips :typing)
  (:types lamp switch)
  (:predicates (wired ?s - switch ?l - lamp)
               (fuse ?l - lamp)
               (lit ?l - lamp))
  (:action press
    :parameters (?s - switch ?l - lamp)
    :precondition (and (wired ?s ?l) (fuse ?l))
    :effect (lit ?l)))
