"""What migrations brought is there in every test, also after one that ended with a flush."""

import pytest
from django.contrib.auth.models import Group

from decks.apps import EDITORS
from decks.models import BanList, CreatureType


@pytest.mark.parametrize("turn", range(2))
def test_types_lists_and_editors_are_there_again_after_a_flush(transactional_db, turn):
    assert (CreatureType.objects.count(), BanList.objects.count()) == (316, 4)
    assert Group.objects.get(name=EDITORS).permissions.count() == 8
