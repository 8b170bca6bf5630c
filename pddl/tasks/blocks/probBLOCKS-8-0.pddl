; Four towers (a g e), (d h f), b and c are to become one tower of eight.
(define (problem blocks-8-0)
  (:domain blocks)
  (:objects h g f e c b d a)
  (:init
    (clear a) (clear d) (clear b) (clear c)
    (ontable e) (ontable f) (ontable b) (ontable c)
    (on a g) (on g e) (on d h) (on h f)
    (handempty))
  (:goal
    (and (on d f) (on f e) (on e h) (on h c) (on c a) (on a g) (on g b))))
