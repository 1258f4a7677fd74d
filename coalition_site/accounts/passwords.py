"""Django's rules for passwords, with messages that say what to do."""

from django.contrib.auth import password_validation as rules


class LongEnough(rules.MinimumLengthValidator):
    def get_error_message(self) -> str:
        return f"The password is too short. Use {self.min_length} characters or more."


class Uncommon(rules.CommonPasswordValidator):
    def get_error_message(self) -> str:
        return "Many people use this password. Choose another."


class NotOnlyDigits(rules.NumericPasswordValidator):
    def get_error_message(self) -> str:
        return "The password is all digits. Add some letters."


class NotYourName(rules.UserAttributeSimilarityValidator):
    def get_error_message(self) -> str:
        return "The password is too similar to your name or e-mail. Choose another."
