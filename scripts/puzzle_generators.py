#!/usr/bin/env python3
"""Writes gallery/pyraminx.gap and gallery/megaminx.gap: the moves as permutations of stickers, made from the geometry alone.

python3 scripts/puzzle_generators.py gallery

A sticker is known by the face that it is on and by the pieces' other faces (megaminx) or vertices (pyraminx), so that a
rotation of the solid, which permutes faces and vertices, permutes stickers. A move is that of the stickers of one part.
tests/gallery_test.cc compares the orders of both groups with the published ones.
"""
import itertools
import math
import sys


def cycles(moves, stickers):
    """A permutation, given as a dictionary of stickers, in GAP's notation, counted from 1."""
    number = {sticker: i + 1 for i, sticker in enumerate(stickers)}
    done, text = set(), ""
    for sticker in stickers:
        if sticker in done or moves.get(sticker, sticker) == sticker:
            continue
        cycle = []
        while sticker not in done:
            done.add(sticker)
            cycle.append(number[sticker])
            sticker = moves[sticker]
        text += "(" + ",".join(map(str, cycle)) + ")"
    return text


def megaminx():
    golden = (1 + math.sqrt(5)) / 2
    normals = []
    for a, b in itertools.product((1, -1), repeat=2):
        normals += [(0, a, b * golden), (a, b * golden, 0), (b * golden, 0, a)]
    normals.sort(key=lambda n: (-n[2], -n[1], n[0]))
    faces = range(12)

    def dot(p, q):
        return sum(x * y for x, y in zip(p, q))

    def cross(p, q):
        return (p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0])

    touches = {(f, g) for f in faces for g in faces if f != g and dot(normals[f], normals[g]) > 0.1}

    def turned(axis, face):
        """Where a face goes if the solid turns clockwise by a fifth, seen along the axis from outside."""
        unit = [x / math.sqrt(dot(normals[axis], normals[axis])) for x in normals[axis]]
        point, angle = normals[face], -2 * math.pi / 5
        along = dot(unit, point)
        there = [p * math.cos(angle) + c * math.sin(angle) + u * along * (1 - math.cos(angle))
                 for p, c, u in zip(point, cross(unit, point), unit)]
        return max(faces, key=lambda f: dot(normals[f], there))

    # Around each face the neighbours in clockwise order: an edge, the corner after it, the next edge...
    stickers = []
    for face in faces:
        neighbour = min(g for g in faces if (face, g) in touches)
        for _ in range(5):
            after = turned(face, neighbour)
            stickers += [(face, frozenset([neighbour])), (face, frozenset([neighbour, after]))]
            neighbour = after
    lines = []
    for axis in faces:
        to = [turned(axis, face) for face in faces]
        moves = {s: (to[s[0]], frozenset(to[g] for g in s[1])) for s in stickers if axis == s[0] or axis in s[1]}
        lines.append("%s := %s;" % ("ABCDEFGHIJKL"[axis], cycles(moves, stickers)))
    return lines


def pyraminx():
    vertices = "ULRB"
    faces = [frozenset(vertices) - {v} for v in "BRLU"]  # front, left, right, down: each without one vertex
    stickers = []
    for face in faces:
        corners = sorted(face, key=vertices.index)
        stickers += [("tip", face, frozenset(v)) for v in corners]
        stickers += [("centre", face, frozenset(v)) for v in corners]
        stickers += [("edge", face, frozenset(pair)) for pair in itertools.combinations(corners, 2)]
    clockwise = {"U": "LBR", "L": "UBR"[::-1], "R": "UBL", "B": "ULR"}  # the others, as they go round a vertex
    lines = []
    for vertex in vertices:
        ring = clockwise[vertex]
        to = {vertex: vertex, **{ring[i]: ring[(i + 1) % 3] for i in range(3)}}

        def image(sticker):
            kind, face, at = sticker
            return kind, frozenset(to[v] for v in face), frozenset(to[v] for v in at)

        turn = {s: image(s) for s in stickers if vertex in s[2] and vertex in s[1]}
        tip = {s: image(s) for s in stickers if s[0] == "tip" and s[2] == {vertex}}
        lines.append("%s := %s;" % (vertex, cycles(turn, stickers)))
        lines.append("%s := %s;" % (vertex.lower(), cycles(tip, stickers)))
    return lines


if __name__ == "__main__":
    for name, lines, about in (
        ("megaminx", megaminx(), "Twelve faces of ten stickers each, without the centres: an edge, the corner after it, the next edge..."),
        ("pyraminx", pyraminx(), "Four faces of nine stickers each: three tips, three centres, three edges. u l r b turn tips alone."),
    ):
        with open(sys.argv[1] + "/" + name + ".gap", "w") as file:
            file.write("# %s\n# Written by scripts/puzzle_generators.py.\n%s\n" % (about, "\n".join(lines)))
