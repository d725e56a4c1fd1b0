-- No screen reads these preferences: the browser keeps the theme.
drop table user_preferences;
