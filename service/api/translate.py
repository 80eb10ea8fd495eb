"""From what the wire finds wrong to the status of the call."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

import grpc

from service.api.errors import CallError, FieldProblem, failed_precondition, several
from service.wire.faults import PRECONDITIONS, Fault, Faults

P = ParamSpec("P")
S = TypeVar("S")
R = TypeVar("R")


def call_error(fault: Fault) -> CallError:
    """Turn a fault of the request into the call's error."""
    if fault.reason in PRECONDITIONS:
        return failed_precondition(fault.reason, str(fault), **fault.arguments)
    problem = FieldProblem(fault.field, fault.reason, fault.text)
    invalid = grpc.StatusCode.INVALID_ARGUMENT
    return CallError(invalid, fault.reason, str(fault), arguments=fault.arguments, fields=(problem,))


def answers_faults(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Let a servicer's method raise what the wire raises."""

    @wraps(method)
    def answer(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return method(self, *args, **kwargs)
        except Fault as fault:
            raise call_error(fault) from fault
        except Faults as faults:
            raise several([call_error(fault) for fault in faults.faults]) from faults

    return answer
