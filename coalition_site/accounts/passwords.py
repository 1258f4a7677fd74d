"""Django's rules for passwords, in words that say what to do."""

from django.contrib.auth import password_validation as rules


class LongEnough(rules.MinimumLengthValidator):
    """Refuse what is tried out in no time."""

    def get_error_message(self) -> str:
        return f"The password is too short. Take {self.min_length} characters or more."


class Uncommon(rules.CommonPasswordValidator):
    """Refuse the passwords that are tried first."""

    def get_error_message(self) -> str:
        return "Many people use this password. Choose another."


class NotOnlyDigits(rules.NumericPasswordValidator):
    """Refuse numbers."""

    def get_error_message(self) -> str:
        return "The password has digits only. Add some letters."


class NotYourName(rules.UserAttributeSimilarityValidator):
    """Refuse what others know of a person."""

    def get_error_message(self) -> str:
        return "The password is too much like your name or e-mail. Choose another."
