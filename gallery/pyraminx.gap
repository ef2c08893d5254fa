# Four faces of nine stickers each: three tips, three centres, three edges. u l r b turn tips alone.
# Written by scripts/puzzle_generators.py.
U := (1,10,19)(4,13,22)(7,17,25)(8,16,26);
u := (1,10,19);
L := (2,28,11)(5,31,14)(7,34,18)(9,35,16);
l := (2,28,11);
R := (3,20,29)(6,23,32)(8,27,34)(9,25,36);
r := (3,20,29);
B := (12,30,21)(15,33,24)(17,35,27)(18,36,26);
b := (12,30,21);
