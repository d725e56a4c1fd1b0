-- The back-office lists these mails too: when somebody settled one whose result is unknown.
alter table digest_mails add column email_settled_at timestamptz(3);
alter table report_mails add column email_settled_at timestamptz(3);
alter table complaint_mails add column email_settled_at timestamptz(3);
alter table resident_subscribers add column email_settled_at timestamptz(3);
