"""What people type about playgroups. Forms save nothing."""
