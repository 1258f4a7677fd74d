"""The file of a playgroup, uploaded to be imported."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError

from coalition_site.lib.untrusted import MalformedDocument, TooManyValues, load

from ..import_jobs import NOT_A_GROUP, VALUES_MAX
from ..importing import read_fields
from ..results_csv import is_results_csv

FILE_MAX = 3_000_000  # bytes
TOO_MUCH = (
    "Leave sets out of the file, or let whoever runs this site import it whole by the command "
    "import_group."
)


class ImportForm(forms.Form):
    """An exported playgroup, as text."""

    file = forms.FileField(error_messages={"required": "Choose the exported file."})

    def clean_file(self) -> str:
        file = self.cleaned_data["file"]
        if file.size > FILE_MAX:
            raise ValidationError(
                f"This file is too large: {FILE_MAX // 1_000_000} MB at most. {TOO_MUCH}"
            )
        data: bytes = file.read()
        try:
            read_fields(load(data, values=VALUES_MAX))
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
        return data.decode("utf-8-sig")
