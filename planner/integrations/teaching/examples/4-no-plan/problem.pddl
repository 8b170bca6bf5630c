; The kitchen has no fuse.
(define (problem dark-kitchen)
  (:domain lamps)
  (:objects hall kitchen - lamp
            s1 s2 - switch)
  (:init (wired s1 hall) (wired s2 kitchen)
         (fuse hall))
  (:goal (and (lit hall) (lit kitchen))))
