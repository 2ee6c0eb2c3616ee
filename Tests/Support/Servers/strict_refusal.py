"""The refusal of a request by strict_server.py, before it takes the shape of a wire."""


class Refusal(Exception):
    """A request that is answered with an error status.

    `parameter` is the name in the log. On OpenAI's wires `error.param` is `shown`, else the same.
    """

    def __init__(self, status, message, parameter=None, code=None, shown=None):
        super().__init__(message)
        self.status = status
        self.message = message
        self.parameter = parameter
        self.code = code
        self.shown = shown or parameter
