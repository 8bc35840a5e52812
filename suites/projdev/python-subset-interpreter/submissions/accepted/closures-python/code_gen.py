# rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
"""Trees to Python functions of a frame. A frame is a list of variables; one that several functions use is a list of one value in it."""

from library import builtins
from values import (
    APPLY, COMPARE, MOST_CALLS, Builtin, Failure, Function, Output, call_method, index, iterable, parse_real, sign, slice_of,
)  # fmt: skip

UNSET = type("Unset", (), {})()
BREAK, CONTINUE = "break", "continue"


def names_set(statements):
    """The names that statements set, and those that they declare, as {name: "global" or "nonlocal"}."""
    found, declared = [], {}
    for node in statements:
        kind = node[0]
        if kind == "assign":
            for target in node[2]:
                found += [target] if type(target) is str else target
        elif kind == "def":
            found.append(node[2])
        elif kind in ("global", "nonlocal"):
            declared |= dict.fromkeys(node[2], kind)
        elif kind in ("if", "while", "for"):
            if kind == "for":
                found += [node[2]] if type(node[2]) is str else node[2]
            for block in node[3:]:
                if type(block) is list:
                    more, others = names_set(block)
                    found += more
                    declared |= others
    return found, declared


class Scope:
    """The variables of one function, or of a default. All scopes are known before code is made, so that cells are known, too."""

    def __init__(self, around=None):
        self.around = around
        self.places = {}  # name -> place in the frame
        self.shared = set()
        self.free = {}  # name -> its place in the frame of the scope around
        self.globals = set()

    def declare(self, name):
        self.places.setdefault(name, len(self.places))

    def owns(self, name):
        return name in self.places and name not in self.free

    def find(self, name):
        """The place of a variable in the frame; None: it is global."""
        if self.around is None or name in self.globals:
            return None
        if name in self.places:
            return self.places[name]
        place = self.around.find(name)
        if place is None:
            return None
        self.around.shared.add(name)
        self.free[name] = place
        self.declare(name)
        self.shared.add(name)
        return self.places[name]


class Machine:
    def __init__(self):
        self.output = Output()
        self.globals = {}
        self.calls = 0
        self.known = builtins(self.output, self.call)

    def compile(self, program):
        body = Compiler(self, Scope()).block(program)
        return lambda: body([])

    # -- calls

    def call(self, callee, values, named):
        if type(callee) is Builtin:
            return callee.body(values, named)
        if type(callee) is not Function:
            raise Failure("wrong type")
        count = len(callee.parameters)
        if named or len(values) != count:
            values = self.bound(callee, values, named)
        if self.calls == MOST_CALLS:
            raise Failure("too many calls")
        self.calls += 1
        for place in range(count):
            if values[place] is UNSET:
                values[place] = callee.defaults[place]()
        result = callee.body(callee.make_frame(values))
        self.calls -= 1
        return None if result is None else result[0]

    def bound(self, function, values, named):
        parameters = function.parameters
        if len(values) > len(parameters):
            raise Failure("wrong arguments")
        found = values + [UNSET] * (len(parameters) - len(values))
        for name, value in named:
            if name not in parameters or found[parameters.index(name)] is not UNSET:
                raise Failure("wrong arguments")
            found[parameters.index(name)] = value
        for value, default in zip(found, function.defaults):
            if value is UNSET and default is None:
                raise Failure("wrong arguments")
        return found


class Compiler:
    """Makes the code of one scope."""

    def __init__(self, machine, scope):
        self.machine = machine
        self.scope = scope

    # -- variables

    def resolve(self, node):
        """Finds all names in a node, functions inside included, before any code is made."""
        if type(node) is tuple and node and node[0] in ("def", "lambda"):
            self.function_scope(node)
        elif type(node) is tuple and node and node[0] == "name":
            self.scope.find(node[2])
        elif type(node) in (list, tuple):
            for part in node:
                self.resolve(part)

    def function_scope(self, node):
        """The scope of a function; variables that it shares with this one are noted here."""
        scope = Scope(self.scope)
        parameters, body = node[-2], node[-1]
        for name, default in parameters:
            scope.declare(name)
            if default is not None:
                Compiler(self.machine, Scope(self.scope)).resolve(default)
        if node[0] == "def":
            found, declared = names_set(body)
            scope.globals = {name for name, kind in declared.items() if kind == "global"}
            for name in found:
                if name not in declared:
                    scope.declare(name)
            for name in declared:
                scope.find(name)
        Compiler(self.machine, scope).resolve(body)
        return scope

    def load(self, name):
        place = self.scope.find(name)
        if place is None:
            return self.load_global(name)
        message = f"undefined name {name}"
        if name in self.scope.shared:

            def shared(frame):
                value = frame[place][0]
                if value is UNSET:
                    raise Failure(message)
                return value

            return shared

        def local(frame):
            value = frame[place]
            if value is UNSET:
                raise Failure(message)
            return value

        return local

    def load_global(self, name):
        variables = self.machine.globals
        variables.setdefault(name, self.machine.known.get(name, UNSET))
        message = f"undefined name {name}"

        def run(frame):
            value = variables[name]
            if value is UNSET:
                raise Failure(message)
            return value

        return run

    def store(self, name):
        place = self.scope.find(name)
        if place is None:
            variables = self.machine.globals
            variables.setdefault(name, self.machine.known.get(name, UNSET))

            def store_global(frame, value):
                variables[name] = value

            return store_global
        if name in self.scope.shared:

            def store_shared(frame, value):
                frame[place][0] = value

            return store_shared

        def store_local(frame, value):
            frame[place] = value

        return store_local

    def target(self, target):
        if type(target) is str:
            return self.store(target)
        stores = [self.store(name) for name in target]

        def run(frame, value):
            if len(iterable(value)) != len(stores):
                raise Failure("wrong value")
            for store, element in zip(stores, value):
                store(frame, element)

        return run

    # -- statements

    def block(self, statements):
        if not self.scope.around:
            self.resolve(statements)
        pairs = [(node[1], getattr(self, f"{node[0]}_statement")(node)) for node in statements]

        def run(frame):
            line = 0
            try:
                for line, statement in pairs:  # noqa: B007
                    flow = statement(frame)
                    if flow is not None:
                        return flow
            except Failure as failure:
                if failure.line is None:
                    failure.line = line
                raise
            return None

        return run

    def pass_statement(self, node):
        return lambda frame: None

    global_statement = nonlocal_statement = pass_statement

    def break_statement(self, node):
        return lambda frame: BREAK

    def continue_statement(self, node):
        return lambda frame: CONTINUE

    def evaluate_statement(self, node):
        value = self.expression(node[2])

        def run(frame):
            value(frame)

        return run

    def assign_statement(self, node):
        stores = [self.target(target) for target in node[2]]
        value = self.expression(node[3])
        if len(stores) == 1:
            store = stores[0]

            def run_one(frame):
                store(frame, value(frame))

            return run_one

        def run(frame):
            result = value(frame)
            for store in stores:
                store(frame, result)

        return run

    def return_statement(self, node):
        value = self.expression(node[2])
        return lambda frame: (value(frame),)

    def if_statement(self, node):
        condition, yes, no = self.expression(node[2]), self.block(node[3]), self.block(node[4])

        def run(frame):
            return yes(frame) if condition(frame) else no(frame)

        return run

    def while_statement(self, node):
        condition, body = self.expression(node[2]), self.block(node[3])

        def run(frame):
            while condition(frame):
                flow = body(frame)
                if flow is not None:
                    if flow is BREAK:
                        break
                    if flow is not CONTINUE:
                        return flow
            return None

        return run

    def for_statement(self, node):
        store, sequence, body = self.target(node[2]), self.expression(node[3]), self.block(node[4])

        def run(frame):
            for value in iterable(sequence(frame)):
                store(frame, value)
                flow = body(frame)
                if flow is not None:
                    if flow is BREAK:
                        break
                    if flow is not CONTINUE:
                        return flow
            return None

        return run

    def def_statement(self, node):
        store, made = self.store(node[2]), self.function(node[2], node)

        def run(frame):
            store(frame, made(frame))

        return run

    # -- functions

    def function(self, name, node):
        scope = self.function_scope(node)
        inside = Compiler(self.machine, scope)
        if node[0] == "lambda":
            body = inside.block([("return", node[1], node[3])])
        else:
            body = inside.block(node[4])
        parameters = [parameter for parameter, _ in node[-2]]
        defaults = [None if default is None else self.default(default, node[1]) for _, default in node[-2]]
        frame_maker = self.frame_maker(scope, len(parameters))

        def run(frame):
            made = [None if default is None else default(frame) for default in defaults]
            return Function(name, parameters, made, frame_maker(frame), body)

        return run

    def default(self, node, line):
        scope = Scope(self.scope)
        inside = Compiler(self.machine, scope)
        inside.resolve(node)
        value = inside.block([("return", line, node)])
        frame_maker = self.frame_maker(scope, 0)

        def run(frame):
            make_frame = frame_maker(frame)
            return lambda: value(make_frame([]))[0]

        return run

    def frame_maker(self, scope, parameters):
        """Gives, for the frame in which a function is made, what makes the frames of its calls from their arguments."""
        size = len(scope.places)
        free = [(scope.places[name], around) for name, around in scope.free.items()]
        cells = [scope.places[name] for name in scope.shared if name not in scope.free]
        unset = [UNSET] * (size - parameters)

        def run(frame):
            captured = [(place, frame[around]) for place, around in free]

            def make(values):
                made = values + unset
                for place in cells:
                    made[place] = [made[place]]
                for place, cell in captured:
                    made[place] = cell
                return made

            return make

        return run

    # -- expressions

    def expression(self, node):
        return getattr(self, f"{node[0]}_expression")(node)

    def none_expression(self, node):
        return lambda frame: None

    def constant_expression(self, node):
        value = node[2]
        return lambda frame: value

    def real_expression(self, node):
        value = parse_real(node[2])
        return lambda frame: value

    def name_expression(self, node):
        return self.load(node[2])

    def tuple_expression(self, node):
        values = [self.expression(value) for value in node[2]]
        return lambda frame: tuple([value(frame) for value in values])

    def sign_expression(self, node):
        minus, value = node[2] == "-", self.expression(node[3])
        return lambda frame: sign(minus, value(frame))

    def binary_expression(self, node):
        apply, left, right = APPLY[node[2]], self.expression(node[3]), self.expression(node[4])
        if node[2] not in "+-*":
            return lambda frame: apply(left(frame), right(frame))

        def add(frame):
            one, other = left(frame), right(frame)
            return one + other if type(one) is int is type(other) else apply(one, other)

        def subtract(frame):
            one, other = left(frame), right(frame)
            return one - other if type(one) is int is type(other) else apply(one, other)

        def multiply(frame):
            one, other = left(frame), right(frame)
            return one * other if type(one) is int is type(other) else apply(one, other)

        return {"+": add, "-": subtract, "*": multiply}[node[2]]

    def compare_expression(self, node):
        compare = [COMPARE[operator] for operator in node[2]]
        operands = [self.expression(operand) for operand in node[3]]
        if len(operands) == 2:
            holds, left, right = compare[0], *operands
            return lambda frame: holds(left(frame), right(frame))

        def run(frame):
            left = operands[0](frame)
            for holds, operand in zip(compare, operands[1:]):
                right = operand(frame)
                if not holds(left, right):
                    return False
                left = right
            return True

        return run

    def and_expression(self, node):
        left, right = self.expression(node[2]), self.expression(node[3])
        return lambda frame: left(frame) and right(frame)

    def or_expression(self, node):
        left, right = self.expression(node[2]), self.expression(node[3])
        return lambda frame: left(frame) or right(frame)

    def not_expression(self, node):
        value = self.expression(node[2])
        return lambda frame: not value(frame)

    def conditional_expression(self, node):
        condition, yes, no = [self.expression(part) for part in node[2:]]
        return lambda frame: yes(frame) if condition(frame) else no(frame)

    def lambda_expression(self, node):
        return self.function("lambda", node)

    def call_expression(self, node):
        callee, call = self.expression(node[2]), self.machine.call
        values = [self.expression(value) for value in node[3]]
        if not node[4]:
            return lambda frame: call(callee(frame), [value(frame) for value in values], [])
        named = [(name, self.expression(value)) for name, value in node[4]]
        return lambda frame: call(
            callee(frame), [value(frame) for value in values], [(name, value(frame)) for name, value in named]
        )

    def method_expression(self, node):
        value, name = self.expression(node[2]), node[3]
        arguments = [self.expression(argument) for argument in node[4]]
        return lambda frame: call_method(value(frame), name, [argument(frame) for argument in arguments])

    def index_expression(self, node):
        sequence, at = self.expression(node[2]), self.expression(node[3])
        return lambda frame: index(sequence(frame), at(frame))

    def slice_expression(self, node):
        sequence = self.expression(node[2])
        bounds = [self.none_expression(node) if bound is None else self.expression(bound) for bound in node[3]]
        return lambda frame: slice_of(sequence(frame), [bound(frame) for bound in bounds])
