#!/bin/sh
# Creates the two roles and the database. The image of PostgreSQL runs it when its volume is empty.
set -eu
psql --set=ON_ERROR_STOP=1 --set=owner="$PARVIS_OWNER_PASSWORD" --set=service="$PARVIS_SERVICE_PASSWORD" \
  --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
create role parvis_owner login password :'owner';
create role parvis_service login password :'service';
create database parvis owner parvis_owner;
SQL
