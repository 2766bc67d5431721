"""Lower bounds of boards, which workers prove one by one."""
