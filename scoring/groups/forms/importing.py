"""The file of a playgroup, uploaded to be imported."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from coalition_site.lib.untrusted import MalformedDocument, TooManyValues, load

from ..import_limits import limit_exceeded
from ..results_csv import is_results_csv

FILE_MAX = 3_000_000  # bytes
VALUES_MAX = 200_000  # of an uploaded playgroup; in memory 50 MB at most
NOT_A_GROUP = "This is not a playgroup as this site exports it"
WOULD_WAIT = "Everybody who keeps score would wait too long for this playgroup. Nothing was stored."
TOO_MUCH = (
    "Leave sets out of the file, or let whoever runs this site import it whole by the command "
    "import_group."
)


class ImportForm(forms.Form):
    """An exported playgroup."""

    file = forms.FileField(error_messages={"required": "Choose the exported file."})

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > FILE_MAX:
            raise ValidationError(
                f"This file is too large: {FILE_MAX // 1_000_000} MB at most. {TOO_MUCH}"
            )
        data = file.read()
        try:
            document = load(data, values=VALUES_MAX)
        except TooManyValues as error:
            raise ValidationError(
                f"This playgroup has more than {error.most:,} values. {TOO_MUCH}"
            ) from error
        except MalformedDocument as error:
            if is_results_csv(data):
                raise ValidationError(
                    "This is the results table (CSV). Choose the .json file."
                ) from error
            raise ValidationError(f"{NOT_A_GROUP}: {error}. Choose the .json file.") from error
        if exceeded := limit_exceeded(document):
            raise ValidationError(f"This playgroup has {exceeded} at most. {TOO_MUCH}")
        return document
