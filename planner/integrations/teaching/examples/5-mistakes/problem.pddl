; The problem is right; the domain is not.
(define (problem three-blocks)
  (:domain blocks)
  (:objects a b c)
  (:init (ontable a) (ontable b) (on c a) (clear b) (clear c))
  (:goal (and (on a b) (on b c))))
