-- Roles of the house decide who may do what; groups and permissions of Django are read only.
GRANT SELECT ON django_content_type, django_migrations, auth_permission, auth_group,
    auth_group_permissions TO app;
GRANT SELECT, INSERT ON django_admin_log TO app;
GRANT SELECT, INSERT, UPDATE, DELETE ON django_session TO app;
