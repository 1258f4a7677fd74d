"""What happens when something below the site fails: its database, its disk, its clock."""
