-- A sign-in mail keeps the address that it was sent to: its link and code verify that address, and no other. Those of the
-- previous version have none, and are refused.
alter table email_challenges drop constraint email_challenges_whole;
alter table email_challenges add constraint email_challenges_whole check (
  (purpose = 'sign_in') = (browser_hash is not null)
  and (session_id is null or purpose in ('confirmation', 'address'))
  and (session_id is not null or purpose <> 'confirmation')
  and (purpose <> 'address' or address is not null)
  and (purpose in ('sign_in', 'address') or address is null)
  -- The address that nobody has is not kept.
  and (purpose = 'address' or address is null or user_id is not null)
  and (purpose = 'sign_in' or user_id is not null)) not valid;
