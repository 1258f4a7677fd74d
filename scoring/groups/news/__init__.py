"""News that goes out: webhooks of playgroups, what is sent to them, and the queue."""
