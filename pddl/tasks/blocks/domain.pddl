; Four-operator blocks world: one hand, a table without limit.
(define (domain blocks)
  (:requirements :strips)
  (:predicates
    (on ?above ?below)
    (ontable ?block)
    (clear ?block)
    (handempty)
    (holding ?block))

  (:action pick-up
    :parameters (?block)
    :precondition (and (clear ?block) (ontable ?block) (handempty))
    :effect (and (holding ?block) (not (clear ?block)) (not (ontable ?block)) (not (handempty))))

  (:action put-down
    :parameters (?block)
    :precondition (holding ?block)
    :effect (and (clear ?block) (ontable ?block) (handempty) (not (holding ?block))))

  (:action stack
    :parameters (?above ?below)
    :precondition (and (holding ?above) (clear ?below))
    :effect (and (on ?above ?below) (clear ?above) (handempty) (not (holding ?above)) (not (clear ?below))))

  (:action unstack
    :parameters (?above ?below)
    :precondition (and (on ?above ?below) (clear ?above) (handempty))
    :effect (and (holding ?above) (clear ?below) (not (on ?above ?below)) (not (clear ?above)) (not (handempty)))))
