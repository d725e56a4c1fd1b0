-- The picture by which an acteur is recognised. The code requires that it is a picture that the acteur may use.
alter table acteurs add column logo uuid;
alter table acteurs add constraint acteurs_logo foreign key (logo) references media not valid;
