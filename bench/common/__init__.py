"""What the questions that need a whole house share: the house, its tables, players and figures."""
