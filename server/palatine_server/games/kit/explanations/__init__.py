"""Why the rules charge, grant or award something: reasons, and their words."""
