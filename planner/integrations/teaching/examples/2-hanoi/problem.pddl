; Four discs move from the left peg to the right one.
(define (problem four-discs)
  (:domain hanoi)
  (:objects left middle right d1 d2 d3 d4)
  (:init
    (smaller d1 left) (smaller d1 middle) (smaller d1 right)
    (smaller d2 left) (smaller d2 middle) (smaller d2 right)
    (smaller d3 left) (smaller d3 middle) (smaller d3 right)
    (smaller d4 left) (smaller d4 middle) (smaller d4 right)
    (smaller d1 d2) (smaller d1 d3) (smaller d1 d4)
    (smaller d2 d3) (smaller d2 d4) (smaller d3 d4)
    (clear middle) (clear right) (clear d1)
    (on d4 left) (on d3 d4) (on d2 d3) (on d1 d2))
  (:goal (and (on d4 right) (on d3 d4) (on d2 d3) (on d1 d2))))
