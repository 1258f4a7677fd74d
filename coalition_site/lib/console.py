"""What commands share: kinds of arguments."""


def count(text: str) -> int:
    if (number := int(text)) < 0:
        raise ValueError
    return number
