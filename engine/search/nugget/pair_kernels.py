"""The search for pairs of boards of which the second takes the first one back, compiled. See `pairs`.

Nothing is known of the blocks but where they go: `board` has for each square the square on which its block
began, and `role` has for each block, named by that square, what has to be true of it.
"""

import numpy as np
from numba import njit

from engine.search.nugget.kernels import shift

_BORDER = 0  # begins on the border; nothing else is known yet
_PLAIN = 1  # white on both faces
_ENTERS = 2  # begins on the border, and is coloured on the face that is shown
_MIDDLE = 3  # begins in the middle; nothing else is known yet
_LEAVES = 4  # begins in the middle, and is white on the face that is shown
_STAYS = 5  # coloured on both faces


@njit(cache=True)
def begin(on_border, board, role):
    """Put all blocks on their squares."""
    for square in range(49):
        board[square] = square
        role[square] = _BORDER if on_border[square] else _MIDDLE


@njit(cache=True)
def can_push(board, role, line, place):
    """Return whether a push can lift the block at a place (1 to 6) of an inner line.

    The blocks beyond have to be coloured. The near end has to bring in a coloured block, and the block that
    leaves the middle has to be white.
    """
    lifted = role[board[line[place]]]
    if lifted in (_ENTERS, _STAYS):
        return False
    for beyond in range(place + 1, 7):
        other = role[board[line[beyond]]]
        if other in (_PLAIN, _LEAVES):
            return False
    near = board[line[0]]
    if role[near] != _BORDER and role[near] != _ENTERS:
        return False
    leaving = role[board[line[5]]] if place == 6 else lifted
    return leaving in (_MIDDLE, _LEAVES)


@njit(cache=True)
def push(board, role, line, place):
    """Push a line in place, so that the block at a place is lifted, and note what has to be true of it."""
    lifted = board[line[place]]
    if role[lifted] == _BORDER:
        role[lifted] = _PLAIN
    elif role[lifted] == _MIDDLE:
        role[lifted] = _LEAVES
    for beyond in range(place + 1, 7):
        block = board[line[beyond]]
        if role[block] == _BORDER:
            role[block] = _ENTERS
        elif role[block] == _MIDDLE:
            role[block] = _STAYS
    role[board[line[0]]] = _ENTERS
    if place == 6:
        role[board[line[5]]] = _LEAVES
    shift(board, line, place)


@njit(cache=True)
def push_all(word, places, lines, on_border, board, role):
    """Push lines one after the other. Return how many can be, and one more if they may solve the board.

    Then each block ends in the middle or on the border as it has to.
    """
    begin(on_border, board, role)
    for number in range(len(word)):
        line = lines[word[number]]
        if not can_push(board, role, line, places[number]):
            return number
        push(board, role, line, places[number])
    for square in range(49):
        block = board[square]
        if on_border[square]:
            if role[block] == _BORDER:
                role[block] = _PLAIN
            elif role[block] != _PLAIN and role[block] != _LEAVES:
                return len(word)
        elif role[block] == _MIDDLE:
            role[block] = _STAYS
        elif role[block] != _STAYS and role[block] != _ENTERS:
            return len(word)
    return len(word) + 1


@njit(cache=True)
def is_taken_back(word, lines, opposite, board, role, pushed):
    """Return whether the opposite pushes in reverse may lead to the board before, on its other face.

    A block that is coloured on both faces is the only one of its kind, so it has to come back to its square.
    """
    pushed[:] = board
    for number in range(len(word) - 1, -1, -1):
        line = lines[opposite[word[number]]]
        place = 6
        while place >= 0 and role[pushed[line[place]]] >= _LEAVES:
            place -= 1
        if place <= 0:
            return False
        lifted = pushed[line[place]]
        for square in range(place, 0, -1):
            pushed[line[square]] = pushed[line[square - 1]]
        pushed[line[0]] = lifted
    for square in range(49):
        if role[pushed[square]] != role[square] or (role[square] == _STAYS and pushed[square] != square):
            return False
    return True


@njit(cache=True)
def columns_of(board, on_border, before_in_rows, after_in_rows, columns):
    """Write to which strips afterwards the blocks of each strip before go, as sets of bits.

    Only blocks that stay in the middle count. Return false if two of them would have to be alike.
    """
    columns[:] = 0
    for square in range(49):
        began = board[square]
        if on_border[square] or on_border[began]:
            continue
        after = square // 7 if after_in_rows else square % 7
        before = began // 7 if before_in_rows else began % 7
        bit = 1 << after - 1
        if columns[before - 1] & bit:
            return False
        columns[before - 1] |= bit
    return True


@njit(cache=True)
def code_of(columns):
    """Return a number that is the same for the same columns in any order."""
    code = 0
    for column in np.sort(columns):
        code = code << 5 | column
    return code


@njit(cache=True)
def seek(forces, lines, opposite, on_border, codes, tries, seed, words, all_places, ways):
    """Write words of pushes that the blocks of the game allow, and how the strips lie. Return their number.

    A word is changed at random again and again, and kept unless fewer of its pushes are possible.
    """
    np.random.seed(seed)
    length = words.shape[1]
    board, role, pushed = np.empty(49, np.int64), np.empty(49, np.int64), np.empty(49, np.int64)
    columns = np.empty(5, np.int64)
    word, places = np.empty(length, np.int64), np.empty(length, np.int64)
    for number in range(length):
        word[number], places[number] = forces[np.random.randint(len(forces))], 6
    new_word, new_places = word.copy(), places.copy()
    possible = found = 0
    for _ in range(tries):
        new_word[:] = word
        new_places[:] = places
        one, other = np.random.randint(length), np.random.randint(length)
        if np.random.randint(2):
            step = 1 if one < other else -1
            for number in range(one, other, step):
                new_word[number] = word[number + step]
                new_places[number] = places[number + step]
            new_word[other], new_places[other] = word[one], places[one]
        else:
            for number in (one, other):
                new_word[number] = forces[np.random.randint(len(forces))]
                new_places[number] = 6 if np.random.randint(2) else np.random.randint(1, 6)
                if np.random.randint(2):
                    break
        now = push_all(new_word, new_places, lines, on_border, board, role)
        if now < possible:
            continue
        possible = now
        word[:] = new_word
        places[:] = new_places
        if possible <= length or not is_taken_back(word, lines, opposite, board, role, pushed):
            continue
        for way in range(4):
            if not columns_of(board, on_border, way & 1, way >> 1, columns):
                continue
            code = code_of(columns)
            for known in codes:
                if code == known and found < len(words):
                    words[found], all_places[found], ways[found] = word, places, way
                    found += 1
                    break
    return found
