-- Whether the push service of a browser has accepted a message: until then it gets no broadcast and is not counted. True for the
-- rows that are there, and for those that the version before inserts.
alter table resident_subscribers add column is_proven boolean not null default true;
-- Messages in a row whose first attempt did not reach the browser: its push service did not answer, or failed.
alter table resident_subscribers add column unreached smallint not null default 0;
