from fsplan.planner.cli import main

main()
