"""What the rules are made of: values that never change."""

from dataclasses import dataclass, field
from typing import dataclass_transform


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value:
    """Each subclass is a frozen dataclass, which it need not say: ``Hold(2, True, False)``."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)
