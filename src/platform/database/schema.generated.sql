-- Generated from the migrations by "npm run generate": the whole schema, to read. Not to run.

table acteurs
  id uuid not null
  slug text not null
  nom text not null
  type text not null
  commune_id uuid
  description text
  adresse text
  telephone text
  email text
  site_web text
  valide boolean not null default false
  badge text
  active boolean not null default true
  can_publish boolean not null default false
  deleted_at timestamp(3) with time zone
  version integer not null default 1
  created_at timestamp(3) with time zone not null default now()
  updated_at timestamp(3) with time zone not null default now()
  search_text text generated as ' '::text || search_key(nom)
  merged_into uuid
  merged_at timestamp(3) with time zone
  constraint acteurs_badge_length CHECK (char_length(badge) <= 50)
  constraint acteurs_commune FOREIGN KEY (commune_id) REFERENCES communes(id)
  constraint acteurs_id_type_key UNIQUE (id, type)
  constraint acteurs_merged_elsewhere CHECK (merged_into <> id)
  constraint acteurs_merged_into FOREIGN KEY (merged_into, type) REFERENCES acteurs(id, type) ON UPDATE CASCADE
  constraint acteurs_merged_whole CHECK ((merged_into IS NULL) = (merged_at IS NULL))
  constraint acteurs_pkey PRIMARY KEY (id)
  constraint acteurs_slug_key UNIQUE (slug)
  constraint acteurs_type CHECK (type = ANY (ARRAY['association'::text, 'commerce'::text, 'mairie'::text, 'ecole'::text, 'service'::text, 'autre'::text]))
  CREATE INDEX acteurs_by_badge ON public.acteurs USING btree (badge, id) WHERE (badge IS NOT NULL)
  CREATE INDEX acteurs_by_commune ON public.acteurs USING btree (commune_id, id)
  CREATE INDEX acteurs_by_created ON public.acteurs USING btree (created_at, id)
  CREATE INDEX acteurs_by_email ON public.acteurs USING btree (lower((email COLLATE "C"))) WHERE (email IS NOT NULL)
  CREATE INDEX acteurs_by_merge ON public.acteurs USING btree (merged_into, merged_at) WHERE (merged_into IS NOT NULL)
  CREATE INDEX acteurs_by_name ON public.acteurs USING btree (search_text, id)
  CREATE INDEX acteurs_by_type ON public.acteurs USING btree (type, id)
  CREATE INDEX acteurs_deleted ON public.acteurs USING btree (id) WHERE (deleted_at IS NOT NULL)
  CREATE UNIQUE INDEX acteurs_id_type_key ON public.acteurs USING btree (id, type)
  CREATE INDEX acteurs_inactive ON public.acteurs USING btree (id) WHERE (NOT active)
  CREATE INDEX acteurs_live ON public.acteurs USING btree (type) WHERE (deleted_at IS NULL)
  CREATE INDEX acteurs_merging ON public.acteurs USING btree (id) WHERE ((merged_into IS NOT NULL) AND (deleted_at IS NULL))
  CREATE INDEX acteurs_not_valid ON public.acteurs USING btree (id) WHERE (NOT valide)
  CREATE UNIQUE INDEX acteurs_pkey ON public.acteurs USING btree (id)
  CREATE INDEX acteurs_public_by_name ON public.acteurs USING btree (commune_id, search_text, id) WHERE (valide AND active AND (deleted_at IS NULL))
  CREATE INDEX acteurs_publishing ON public.acteurs USING btree (id) WHERE can_publish
  CREATE INDEX acteurs_search ON public.acteurs USING gin (search_text gin_trgm_ops)
  CREATE UNIQUE INDEX acteurs_slug_key ON public.acteurs USING btree (slug)
  CREATE TRIGGER acteurs_gaps AFTER UPDATE OF active, deleted_at, adresse, telephone, email, site_web ON acteurs FOR EACH ROW WHEN (new.type = 'mairie'::text AND (old.active IS DISTINCT FROM new.active OR (old.deleted_at IS NULL) IS DISTINCT FROM (new.deleted_at IS NULL) OR old.adresse IS DISTINCT FROM new.adresse OR old.telephone IS DISTINCT FROM new.telephone OR old.email IS DISTINCT FROM new.email OR old.site_web IS DISTINCT FROM new.site_web)) EXECUTE FUNCTION keep_gaps_of_mairie()
  CREATE TRIGGER acteurs_merge_target BEFORE UPDATE OF merged_into ON acteurs FOR EACH ROW WHEN (old.merged_into IS DISTINCT FROM new.merged_into) EXECUTE FUNCTION keep_merge_target()
  CREATE TRIGGER acteurs_relist AFTER UPDATE ON acteurs FOR EACH ROW WHEN (new.active <> old.active OR (new.deleted_at IS NULL) <> (old.deleted_at IS NULL)) EXECUTE FUNCTION relist_acteur()
  CREATE TRIGGER acteurs_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON acteurs FOR EACH STATEMENT EXECUTE FUNCTION tell_change()
  CREATE TRIGGER acteurs_touch BEFORE UPDATE ON acteurs FOR EACH ROW EXECUTE FUNCTION touch_row('search_text')

table actor_users
  acteur_id uuid not null
  user_id uuid not null
  role text not null
  permissions text[] not null default '{}'::text[]
  created_at timestamp(3) with time zone not null default now()
  constraint actor_users_acteur FOREIGN KEY (acteur_id) REFERENCES acteurs(id)
  constraint actor_users_permissions CHECK (permissions <@ ARRAY['manage_publications'::text, 'publish_publications'::text])
  constraint actor_users_pkey PRIMARY KEY (acteur_id, user_id)
  constraint actor_users_role CHECK (role = ANY (ARRAY['owner'::text, 'editor'::text]))
  constraint actor_users_user FOREIGN KEY (user_id) REFERENCES users(id)
  CREATE INDEX actor_users_by_user ON public.actor_users USING btree (user_id)
  CREATE UNIQUE INDEX actor_users_pkey ON public.actor_users USING btree (acteur_id, user_id)
  CREATE TRIGGER actor_users_follow_merge BEFORE INSERT OR UPDATE OF acteur_id ON actor_users FOR EACH ROW EXECUTE FUNCTION follow_merge()
  CREATE TRIGGER actor_users_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON actor_users FOR EACH STATEMENT EXECUTE FUNCTION tell_change()

table alertes
  id uuid not null
  commune_id uuid
  acteur_id uuid
  titre text not null
  message text not null
  niveau text not null
  debut timestamp(3) with time zone
  fin timestamp(3) with time zone
  created_by uuid
  created_at timestamp(3) with time zone not null default now()
  version integer not null default 1
  updated_at timestamp(3) with time zone not null default now()
  email_status text
  email_status_at timestamp(3) with time zone
  email_error text
  email_tries integer not null default 0
  constraint alertes_acteur FOREIGN KEY (acteur_id) REFERENCES acteurs(id)
  constraint alertes_commune FOREIGN KEY (commune_id) REFERENCES communes(id)
  constraint alertes_created_by FOREIGN KEY (created_by) REFERENCES users(id)
  constraint alertes_email_status CHECK (email_status = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'uncertain'::text]))
  constraint alertes_email_status_dated CHECK ((email_status IS NULL) = (email_status_at IS NULL))
  constraint alertes_niveau CHECK (niveau = ANY (ARRAY['info'::text, 'attention'::text, 'urgence'::text]))
  constraint alertes_one_owner CHECK (num_nonnulls(commune_id, acteur_id) = 1)
  constraint alertes_period CHECK (fin >= debut)
  constraint alertes_pkey PRIMARY KEY (id)
  CREATE INDEX alertes_by_acteur ON public.alertes USING btree (acteur_id, created_at DESC, id DESC) WHERE (acteur_id IS NOT NULL)
  CREATE INDEX alertes_by_author ON public.alertes USING btree (created_by) WHERE (created_by IS NOT NULL)
  CREATE INDEX alertes_by_commune ON public.alertes USING btree (commune_id, created_at DESC, id DESC) WHERE (commune_id IS NOT NULL)
  CREATE INDEX alertes_by_created ON public.alertes USING btree (created_at DESC, id DESC)
  CREATE INDEX alertes_by_niveau ON public.alertes USING btree (niveau, created_at DESC, id DESC)
  CREATE INDEX alertes_endless ON public.alertes USING btree (created_at) WHERE ((fin IS NULL) AND (email_status IS NULL))
  CREATE INDEX alertes_mails_by_status ON public.alertes USING btree (email_status, email_status_at DESC, id DESC) WHERE (email_status IS NOT NULL)
  CREATE INDEX alertes_mails_open ON public.alertes USING btree (email_status, email_status_at) WHERE (email_status = ANY (ARRAY['queued'::text, 'sending'::text, 'uncertain'::text]))
  CREATE INDEX alertes_of_acteur_by_end ON public.alertes USING btree (acteur_id, COALESCE(fin, 'infinity'::timestamp with time zone)) WHERE (acteur_id IS NOT NULL)
  CREATE INDEX alertes_of_commune_by_end ON public.alertes USING btree (commune_id, COALESCE(fin, 'infinity'::timestamp with time zone)) WHERE (commune_id IS NOT NULL)
  CREATE UNIQUE INDEX alertes_pkey ON public.alertes USING btree (id)
  CREATE TRIGGER alertes_follow_merge BEFORE INSERT OR UPDATE OF acteur_id ON alertes FOR EACH ROW WHEN (new.acteur_id IS NOT NULL) EXECUTE FUNCTION follow_merge()
  CREATE TRIGGER alertes_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON alertes FOR EACH STATEMENT EXECUTE FUNCTION tell_change()
  CREATE TRIGGER alertes_touch BEFORE UPDATE ON alertes FOR EACH ROW EXECUTE FUNCTION touch_row('email_status', 'email_status_at', 'email_error', 'email_tries')

table app_sources
  code text not null
  label text not null
  commune_ids uuid[]
  active boolean not null default true
  created_at timestamp(3) with time zone not null default now()
  version integer not null default 1
  updated_at timestamp(3) with time zone not null default now()
  constraint app_sources_code_form CHECK (code ~ '^[a-z0-9][a-z0-9_-]{0,49}$'::text)
  constraint app_sources_pkey PRIMARY KEY (code)
  CREATE UNIQUE INDEX app_sources_pkey ON public.app_sources USING btree (code)
  CREATE TRIGGER app_sources_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON app_sources FOR EACH STATEMENT EXECUTE FUNCTION tell_change()
  CREATE TRIGGER app_sources_touch BEFORE UPDATE ON app_sources FOR EACH ROW EXECUTE FUNCTION touch_row()

table audit_log
  id uuid not null
  at timestamp(3) with time zone not null default clock_timestamp()
  user_id uuid
  action text not null
  entity text not null
  entity_id text not null
  before jsonb
  after jsonb
  app_source text
  request_id text
  seq bigint not null default 0
  constraint audit_log_pkey PRIMARY KEY (id)
  CREATE INDEX audit_log_by_action ON public.audit_log USING btree (action, at DESC, id DESC)
  CREATE UNIQUE INDEX audit_log_by_seq ON public.audit_log USING btree (seq)
  CREATE INDEX audit_log_by_time ON public.audit_log USING btree (at DESC, id DESC)
  CREATE INDEX audit_log_by_user ON public.audit_log USING btree (user_id, at DESC, id DESC)
  CREATE INDEX audit_log_of_entity ON public.audit_log USING btree (entity, at DESC)
  CREATE INDEX audit_log_of_record ON public.audit_log USING btree (entity_id, at DESC)
  CREATE INDEX audit_log_of_request ON public.audit_log USING hash (request_id) WHERE (request_id IS NOT NULL)
  CREATE UNIQUE INDEX audit_log_pkey ON public.audit_log USING btree (id)
  CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
  CREATE TRIGGER audit_log_time BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION stamp_audit()

table audit_seal_faults
  number bigint not null
  found_at timestamp(3) with time zone not null default now()
  reason text not null
  constraint audit_seal_faults_pkey PRIMARY KEY (number)
  constraint audit_seal_faults_reason CHECK (reason = ANY (ARRAY['altered'::text, 'unknown_key'::text]))
  CREATE UNIQUE INDEX audit_seal_faults_pkey ON public.audit_seal_faults USING btree (number)
  CREATE TRIGGER audit_seal_faults_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_seal_faults FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()

table audit_seals
  number bigint not null
  sealed_at timestamp(3) with time zone not null
  key_id text not null
  after_seq bigint not null
  last_seq bigint not null
  total bigint not null
  entries bytea not null
  previous bytea not null
  mac bytea not null
  constraint audit_seals_form CHECK (number > 0 AND last_seq > after_seq AND length(entries) > 0 AND (length(entries) % 32) = 0 AND length(previous) = 32 AND length(mac) = 32)
  constraint audit_seals_pkey PRIMARY KEY (number)
  CREATE INDEX audit_seals_by_key ON public.audit_seals USING btree (key_id, number)
  CREATE UNIQUE INDEX audit_seals_pkey ON public.audit_seals USING btree (number)
  CREATE TRIGGER audit_seals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
  CREATE TRIGGER audit_seals_placed AFTER INSERT ON audit_seals FOR EACH ROW EXECUTE FUNCTION check_seal()

table audit_verifications
  id bigint not null
  at timestamp(3) with time zone not null default clock_timestamp()
  seals bigint not null
  rows bigint not null
  faults bigint not null
  constraint audit_verifications_counts CHECK (seals >= 0 AND rows >= 0 AND faults >= 0)
  constraint audit_verifications_pkey PRIMARY KEY (id)
  CREATE UNIQUE INDEX audit_verifications_pkey ON public.audit_verifications USING btree (id)
  CREATE TRIGGER audit_verifications_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_verifications FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()

table claim_questions
  id uuid not null
  claim_id uuid not null
  body text not null
  asked_by uuid not null
  created_at timestamp(3) with time zone not null default now()
  email_status text not null default 'queued'::text
  email_status_at timestamp(3) with time zone not null default now()
  email_error text
  email_tries integer not null default 0
  constraint claim_questions_asked_by FOREIGN KEY (asked_by) REFERENCES users(id)
  constraint claim_questions_body_length CHECK (char_length(body) >= 1 AND char_length(body) <= 5000)
  constraint claim_questions_claim FOREIGN KEY (claim_id) REFERENCES claims(id) ON DELETE CASCADE
  constraint claim_questions_email_status CHECK (email_status = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'uncertain'::text]))
  constraint claim_questions_pkey PRIMARY KEY (id)
  CREATE INDEX claim_questions_by_claim ON public.claim_questions USING btree (claim_id, created_at, id)
  CREATE INDEX claim_questions_by_status ON public.claim_questions USING btree (email_status, email_status_at DESC, id DESC)
  CREATE INDEX claim_questions_mails_open ON public.claim_questions USING btree (email_status, email_status_at) WHERE (email_status = ANY (ARRAY['queued'::text, 'sending'::text, 'uncertain'::text]))
  CREATE UNIQUE INDEX claim_questions_pkey ON public.claim_questions USING btree (id)

table claims
  id uuid not null
  acteur_id uuid not null
  user_id uuid
  nom text
  email text
  telephone text
  message text not null
  status text not null default 'pending'::text
  reason text
  decided_by uuid
  ended_at timestamp(3) with time zone
  email_status text
  email_status_at timestamp(3) with time zone
  pseudonymised_at timestamp(3) with time zone
  search tsvector generated as to_tsvector('simple'::regconfig, search_key((((((((COALESCE(nom, ''::text) || ' '::text) || COALESCE(email, ''::text)) || ' '::text) || COALESCE(telephone, ''::text)) || ' '::text) || regexp_replace(COALESCE(telephone, ''::text), '[^0-9]'::text, ''::text, 'g'::text)) || ' '::text) || message))
  version integer not null default 1
  created_at timestamp(3) with time zone not null default now()
  updated_at timestamp(3) with time zone not null default now()
  email_error text
  email_tries integer not null default 0
  decision_id uuid
  questions_count integer not null default 0
  asked_at timestamp(3) with time zone
  waits_until timestamp(3) with time zone
  may_have_arrived boolean not null default false
  reference text
  constraint claims_acteur FOREIGN KEY (acteur_id) REFERENCES acteurs(id)
  constraint claims_approved_for_somebody CHECK (status <> 'approved'::text OR user_id IS NOT NULL)
  constraint claims_decided CHECK (decided_by IS NULL OR (status = ANY (ARRAY['approved'::text, 'rejected'::text])))
  constraint claims_decided_by FOREIGN KEY (decided_by) REFERENCES users(id)
  constraint claims_email_status CHECK (email_status = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'uncertain'::text]))
  constraint claims_email_status_dated CHECK ((email_status IS NULL) = (email_status_at IS NULL))
  constraint claims_ended CHECK ((status = 'pending'::text) = (ended_at IS NULL))
  constraint claims_message_length CHECK (char_length(message) >= 1 AND char_length(message) <= 2000 OR pseudonymised_at IS NOT NULL)
  constraint claims_pkey PRIMARY KEY (id)
  constraint claims_pseudonymised_whole CHECK (pseudonymised_at IS NULL OR ended_at IS NOT NULL AND num_nonnulls(nom, email, telephone, reason) = 0 AND message = ''::text)
  constraint claims_questions_count CHECK (questions_count >= 0 AND questions_count <= 10)
  constraint claims_status CHECK (status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'expired'::text]))
  constraint claims_user FOREIGN KEY (user_id) REFERENCES users(id)
  constraint claims_waits_whole CHECK ((questions_count = 0) = (asked_at IS NULL) AND (asked_at IS NULL) = (waits_until IS NULL) AND (asked_at IS NULL OR (waits_until - asked_at) >= '00:00:00'::interval AND (waits_until - asked_at) <= '14 days'::interval))
  CREATE INDEX claims_by_acteur ON public.claims USING btree (acteur_id, created_at DESC, id DESC)
  CREATE INDEX claims_by_created ON public.claims USING btree (created_at DESC, id DESC)
  CREATE INDEX claims_by_decision ON public.claims USING btree ((
CASE
    WHEN (status = ANY (ARRAY['approved'::text, 'rejected'::text])) THEN ended_at
    ELSE NULL::timestamp with time zone
END) DESC NULLS LAST, id DESC)
  CREATE INDEX claims_by_decision_upwards ON public.claims USING btree ((
CASE
    WHEN (status = ANY (ARRAY['approved'::text, 'rejected'::text])) THEN ended_at
    ELSE NULL::timestamp with time zone
END), id)
  CREATE INDEX claims_by_email ON public.claims USING btree (lower((email COLLATE "C")), created_at DESC, id DESC) WHERE (email IS NOT NULL)
  CREATE INDEX claims_by_status ON public.claims USING btree (status, created_at, id) INCLUDE (asked_at, waits_until)
  CREATE INDEX claims_by_user ON public.claims USING btree (user_id, created_at DESC, id DESC) WHERE (user_id IS NOT NULL)
  CREATE INDEX claims_mails_by_status ON public.claims USING btree (email_status, email_status_at DESC, id DESC) WHERE (email_status IS NOT NULL)
  CREATE INDEX claims_mails_open ON public.claims USING btree (email_status, email_status_at) WHERE (email_status = ANY (ARRAY['queued'::text, 'sending'::text, 'uncertain'::text]))
  CREATE UNIQUE INDEX claims_one_pending_anonymous ON public.claims USING btree (acteur_id) WHERE ((status = 'pending'::text) AND (user_id IS NULL))
  CREATE UNIQUE INDEX claims_one_pending_signed_in ON public.claims USING btree (acteur_id) WHERE ((status = 'pending'::text) AND (user_id IS NOT NULL))
  CREATE INDEX claims_personal ON public.claims USING btree (ended_at) WHERE ((ended_at IS NOT NULL) AND (pseudonymised_at IS NULL))
  CREATE UNIQUE INDEX claims_pkey ON public.claims USING btree (id)
  CREATE UNIQUE INDEX claims_reference ON public.claims USING btree (reference) WHERE (reference IS NOT NULL)
  CREATE INDEX claims_search ON public.claims USING gin (search)
  CREATE TRIGGER claims_follow_merge BEFORE INSERT OR UPDATE OF acteur_id ON claims FOR EACH ROW EXECUTE FUNCTION follow_merge()
  CREATE TRIGGER claims_may_have_arrived BEFORE UPDATE OF email_status ON claims FOR EACH ROW WHEN (old.email_status = 'uncertain'::text AND new.email_status <> 'uncertain'::text) EXECUTE FUNCTION note_uncertain_mail()
  CREATE TRIGGER claims_touch BEFORE UPDATE ON claims FOR EACH ROW EXECUTE FUNCTION touch_row('search', 'email_status', 'email_status_at', 'email_error', 'email_tries', 'may_have_arrived')

table collectes
  id uuid not null
  commune_id uuid not null
  position integer not null
  type_dechet text not null
  libelle text not null
  secteur text
  mode text not null
  jours text[] not null default '{}'::text[]
  toutes_les_semaines integer not null default 1
  a_partir_du date
  dates date[] not null default '{}'::date[]
  exceptions jsonb not null default '[]'::jsonb
  consignes text
  constraint collectes_anchor CHECK (toutes_les_semaines = 1 OR jours = '{}'::text[] OR a_partir_du IS NOT NULL)
  constraint collectes_commune FOREIGN KEY (commune_id) REFERENCES communes(id) ON DELETE CASCADE
  constraint collectes_every_weeks CHECK (toutes_les_semaines >= 1 AND toutes_les_semaines <= 52)
  constraint collectes_exceptions CHECK (jsonb_typeof(exceptions) = 'array'::text)
  constraint collectes_jours CHECK (jours <@ ARRAY['lundi'::text, 'mardi'::text, 'mercredi'::text, 'jeudi'::text, 'vendredi'::text, 'samedi'::text, 'dimanche'::text])
  constraint collectes_mode CHECK (mode = ANY (ARRAY['porte_a_porte'::text, 'apport_volontaire'::text]))
  constraint collectes_pkey PRIMARY KEY (id)
  CREATE INDEX collectes_by_commune ON public.collectes USING btree (commune_id, "position", id)
  CREATE UNIQUE INDEX collectes_pkey ON public.collectes USING btree (id)
  CREATE TRIGGER collectes_gaps_deleted AFTER DELETE ON collectes REFERENCING OLD TABLE AS rows FOR EACH STATEMENT EXECUTE FUNCTION keep_gaps_of_rows()
  CREATE TRIGGER collectes_gaps_inserted AFTER INSERT ON collectes REFERENCING NEW TABLE AS rows FOR EACH STATEMENT EXECUTE FUNCTION keep_gaps_of_rows()
  CREATE TRIGGER collectes_gaps_updated AFTER UPDATE OF commune_id ON collectes FOR EACH ROW WHEN (old.commune_id IS DISTINCT FROM new.commune_id) EXECUTE FUNCTION keep_gaps_of_row()
  CREATE TRIGGER collectes_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON collectes FOR EACH STATEMENT EXECUTE FUNCTION tell_change()

table commune_aliases
  code_insee text not null
  commune_id uuid not null
  nom text not null
  type text not null
  search_text text generated as ((' '::text || search_key(nom)) || ' '::text) || lower(code_insee)
  constraint commune_aliases_commune FOREIGN KEY (commune_id) REFERENCES communes(id) ON DELETE CASCADE
  constraint commune_aliases_pkey PRIMARY KEY (code_insee)
  constraint commune_aliases_type CHECK (type = ANY (ARRAY['arrondissement'::text, 'deleguee'::text, 'associee'::text]))
  CREATE INDEX commune_aliases_by_commune ON public.commune_aliases USING btree (commune_id)
  CREATE UNIQUE INDEX commune_aliases_pkey ON public.commune_aliases USING btree (code_insee)
  CREATE INDEX commune_aliases_search ON public.commune_aliases USING gin (search_text gin_trgm_ops)
  CREATE TRIGGER commune_aliases_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON commune_aliases FOR EACH STATEMENT EXECUTE FUNCTION tell_change()

table commune_former_names
  commune_id uuid not null
  nom text not null
  search_text text generated as ' '::text || search_key(nom)
  constraint commune_former_names_commune FOREIGN KEY (commune_id) REFERENCES communes(id) ON DELETE CASCADE
  constraint commune_former_names_pkey PRIMARY KEY (commune_id, nom)
  CREATE UNIQUE INDEX commune_former_names_pkey ON public.commune_former_names USING btree (commune_id, nom)
  CREATE INDEX commune_former_names_search ON public.commune_former_names USING gin (search_text gin_trgm_ops)
  CREATE TRIGGER commune_former_names_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON commune_former_names FOR EACH STATEMENT EXECUTE FUNCTION tell_change()

table commune_gaps
  commune_id uuid not null
  gaps smallint not null default 15
  constraint commune_gaps_commune FOREIGN KEY (commune_id) REFERENCES communes(id) ON DELETE CASCADE
  constraint commune_gaps_known CHECK (gaps >= 0 AND gaps <= 15)
  constraint commune_gaps_pkey PRIMARY KEY (commune_id)
  CREATE INDEX commune_gaps_by_gaps ON public.commune_gaps USING btree (gaps, commune_id)
  CREATE UNIQUE INDEX commune_gaps_pkey ON public.commune_gaps USING btree (commune_id)

table commune_infos
  id uuid not null
  commune_id uuid not null
  cle text not null
  libelle text not null
  valeur text not null
  position integer not null
  constraint commune_infos_cle_form CHECK (cle ~ '^[a-z0-9_]{1,50}$'::text)
  constraint commune_infos_commune FOREIGN KEY (commune_id) REFERENCES communes(id) ON DELETE CASCADE
  constraint commune_infos_pkey PRIMARY KEY (id)
  CREATE INDEX commune_infos_by_commune ON public.commune_infos USING btree (commune_id, "position", id)
  CREATE UNIQUE INDEX commune_infos_pkey ON public.commune_infos USING btree (id)
  CREATE TRIGGER commune_infos_gaps_deleted AFTER DELETE ON commune_infos REFERENCING OLD TABLE AS rows FOR EACH STATEMENT EXECUTE FUNCTION keep_gaps_of_rows()
  CREATE TRIGGER commune_infos_gaps_inserted AFTER INSERT ON commune_infos REFERENCING NEW TABLE AS rows FOR EACH STATEMENT EXECUTE FUNCTION keep_gaps_of_rows()
  CREATE TRIGGER commune_infos_gaps_updated AFTER UPDATE OF commune_id, cle, valeur ON commune_infos FOR EACH ROW WHEN (old.commune_id IS DISTINCT FROM new.commune_id OR old.cle IS DISTINCT FROM new.cle OR old.valeur IS DISTINCT FROM new.valeur) EXECUTE FUNCTION keep_gaps_of_row()
  CREATE TRIGGER commune_infos_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON commune_infos FOR EACH STATEMENT EXECUTE FUNCTION tell_change()

table communes
  id uuid not null
  slug text not null
  nom text not null
  code_insee text not null
  codes_postaux text[] not null default '{}'::text[]
  departement text not null
  region text not null
  population integer
  latitude double precision
  longitude double precision
  mairie_actor_id uuid
  mairie_actor_type text generated as 
CASE
    WHEN mairie_actor_id IS NOT NULL THEN 'mairie'::text
    ELSE NULL::text
END
  sort_name text generated as search_key(nom)
  search_text text generated as commune_search_text(nom, codes_postaux)
  version integer not null default 1
  created_at timestamp(3) with time zone not null default now()
  updated_at timestamp(3) with time zone not null default now()
  constraint communes_code_insee_form CHECK (code_insee ~ '^[0-9][0-9AB][0-9]{3}$'::text)
  constraint communes_code_insee_key UNIQUE (code_insee)
  constraint communes_coordinates CHECK ((latitude IS NULL) = (longitude IS NULL) AND latitude >= '-90'::integer::double precision AND latitude <= 90::double precision AND longitude >= '-180'::integer::double precision AND longitude <= 180::double precision)
  constraint communes_mairie FOREIGN KEY (mairie_actor_id, mairie_actor_type) REFERENCES acteurs(id, type)
  constraint communes_pkey PRIMARY KEY (id)
  constraint communes_population_positive CHECK (population >= 0)
  constraint communes_slug_form CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text)
  constraint communes_slug_key UNIQUE (slug)
  CREATE INDEX communes_by_code ON public.communes USING btree (code_insee text_pattern_ops)
  CREATE INDEX communes_by_departement ON public.communes USING btree (departement, sort_name, id)
  CREATE INDEX communes_by_departement_code ON public.communes USING btree (departement, code_insee)
  CREATE INDEX communes_by_mairie ON public.communes USING btree (mairie_actor_id) WHERE (mairie_actor_id IS NOT NULL)
  CREATE INDEX communes_by_name ON public.communes USING btree (sort_name, id)
  CREATE INDEX communes_by_population ON public.communes USING btree (population DESC NULLS LAST, id DESC)
  CREATE INDEX communes_by_population_upwards ON public.communes USING btree (population, id)
  CREATE INDEX communes_by_region ON public.communes USING btree (region, sort_name, id)
  CREATE INDEX communes_by_updated ON public.communes USING btree (updated_at, id)
  CREATE UNIQUE INDEX communes_code_insee_key ON public.communes USING btree (code_insee)
  CREATE UNIQUE INDEX communes_pkey ON public.communes USING btree (id)
  CREATE INDEX communes_search ON public.communes USING gin (search_text gin_trgm_ops)
  CREATE UNIQUE INDEX communes_slug_key ON public.communes USING btree (slug)
  CREATE INDEX communes_with_mairie ON public.communes USING btree (sort_name, id) WHERE (mairie_actor_id IS NOT NULL)
  CREATE INDEX communes_without_mairie ON public.communes USING btree (sort_name, id) WHERE (mairie_actor_id IS NULL)
  CREATE TRIGGER communes_early_lock_of_mairie BEFORE INSERT OR UPDATE OF mairie_actor_id ON communes FOR EACH ROW WHEN (new.mairie_actor_id IS NOT NULL) EXECUTE FUNCTION lock_mairie()
  CREATE TRIGGER communes_follow_merge BEFORE INSERT OR UPDATE OF mairie_actor_id ON communes FOR EACH ROW WHEN (new.mairie_actor_id IS NOT NULL) EXECUTE FUNCTION follow_merge_of_mairie()
  CREATE TRIGGER communes_gaps_inserted AFTER INSERT ON communes REFERENCING NEW TABLE AS rows FOR EACH STATEMENT EXECUTE FUNCTION keep_gaps_of_communes()
  CREATE TRIGGER communes_gaps_updated AFTER UPDATE ON communes REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows FOR EACH STATEMENT EXECUTE FUNCTION keep_gaps_of_communes()
  CREATE TRIGGER communes_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON communes FOR EACH STATEMENT EXECUTE FUNCTION tell_change()
  CREATE TRIGGER communes_touch BEFORE UPDATE ON communes FOR EACH ROW EXECUTE FUNCTION touch_row('sort_name', 'search_text', 'mairie_actor_type')

table daily_counts
  day date not null
  key text not null
  n integer not null
  constraint daily_counts_n CHECK (n >= 0)
  constraint daily_counts_pkey PRIMARY KEY (day, key)
  CREATE UNIQUE INDEX daily_counts_pkey ON public.daily_counts USING btree (day, key)

table decision_items
  decision_id uuid not null
  record_id uuid not null
  seq bigint not null
  version_before integer not null
  version integer not null
  before jsonb not null
  undone_at timestamp(3) with time zone
  constraint decision_items_decision FOREIGN KEY (decision_id) REFERENCES decisions(id) ON DELETE CASCADE
  constraint decision_items_pkey PRIMARY KEY (decision_id, record_id)
  constraint decision_items_versions CHECK (version >= version_before)
  CREATE INDEX decision_items_by_record ON public.decision_items USING btree (record_id, seq DESC)
  CREATE UNIQUE INDEX decision_items_pkey ON public.decision_items USING btree (decision_id, record_id)

table decisions
  id uuid not null
  kind text not null
  action text not null
  decided_by uuid not null
  decided_at timestamp(3) with time zone not null default now()
  undone_by uuid
  undone_at timestamp(3) with time zone
  outcome text
  constraint decisions_decided_by FOREIGN KEY (decided_by) REFERENCES users(id)
  constraint decisions_kind CHECK (kind = ANY (ARRAY['publication'::text, 'claim'::text]))
  constraint decisions_outcome CHECK (outcome = ANY (ARRAY['pending'::text, 'approved'::text, 'published'::text, 'rejected'::text])) NOT VALID
  constraint decisions_pkey PRIMARY KEY (id)
  constraint decisions_undone_by FOREIGN KEY (undone_by) REFERENCES users(id)
  constraint decisions_undone_whole CHECK ((undone_by IS NULL) = (undone_at IS NULL))
  CREATE INDEX decisions_by_age ON public.decisions USING btree (decided_at)
  CREATE INDEX decisions_by_user ON public.decisions USING btree (decided_by, id DESC)
  CREATE UNIQUE INDEX decisions_pkey ON public.decisions USING btree (id)

table defibrillateur_map_cells
  x integer not null
  y integer not null
  statut_admin_france text not null
  etat_fonctionnement text not null
  is_absent boolean not null
  n integer not null
  longitudes bigint not null
  latitudes bigint not null
  constraint defibrillateur_map_cells_pkey PRIMARY KEY (x, y, statut_admin_france, etat_fonctionnement, is_absent)
  CREATE UNIQUE INDEX defibrillateur_map_cells_pkey ON public.defibrillateur_map_cells USING btree (x, y, statut_admin_france, etat_fonctionnement, is_absent)

table defibrillateur_shared_points
  latitude double precision not null
  longitude double precision not null
  constraint defibrillateur_shared_points_pkey PRIMARY KEY (latitude, longitude)
  CREATE UNIQUE INDEX defibrillateur_shared_points_pkey ON public.defibrillateur_shared_points USING btree (latitude, longitude)

table defibrillateur_sync_progress
  sync_id uuid not null
  read integer not null
  constraint defibrillateur_sync_progress_pkey PRIMARY KEY (sync_id)
  constraint defibrillateur_sync_progress_read CHECK (read >= 0)
  constraint defibrillateur_sync_progress_sync FOREIGN KEY (sync_id) REFERENCES defibrillateur_syncs(id) ON DELETE CASCADE
  CREATE UNIQUE INDEX defibrillateur_sync_progress_pkey ON public.defibrillateur_sync_progress USING btree (sync_id)

table defibrillateur_syncs
  id uuid not null
  commune_id uuid
  source text not null
  status text not null default 'queued'::text
  accept_fall boolean not null default false
  error text
  counts jsonb
  created_at timestamp(3) with time zone not null default now()
  started_at timestamp(3) with time zone
  finished_at timestamp(3) with time zone
  failure jsonb
  constraint defibrillateur_syncs_commune FOREIGN KEY (commune_id) REFERENCES communes(id) ON DELETE CASCADE
  constraint defibrillateur_syncs_error CHECK ((status = 'failed'::text) = (error IS NOT NULL))
  constraint defibrillateur_syncs_finished CHECK ((status = ANY (ARRAY['succeeded'::text, 'failed'::text])) = (finished_at IS NOT NULL))
  constraint defibrillateur_syncs_one_at_a_time EXCLUDE USING gist (uuid_range(commune_id, commune_id, '[]'::text) WITH &&) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]))
  constraint defibrillateur_syncs_pkey PRIMARY KEY (id)
  constraint defibrillateur_syncs_source CHECK (source = ANY (ARRAY['registre'::text, 'fichier'::text]))
  constraint defibrillateur_syncs_status CHECK (status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text]))
  CREATE INDEX defibrillateur_syncs_by_target ON public.defibrillateur_syncs USING btree (commune_id, id DESC)
  CREATE INDEX defibrillateur_syncs_one_at_a_time ON public.defibrillateur_syncs USING gist (uuid_range(commune_id, commune_id, '[]'::text)) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]))
  CREATE INDEX defibrillateur_syncs_open ON public.defibrillateur_syncs USING btree (id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]))
  CREATE UNIQUE INDEX defibrillateur_syncs_pkey ON public.defibrillateur_syncs USING btree (id)
  CREATE TRIGGER defibrillateur_syncs_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON defibrillateur_syncs FOR EACH STATEMENT EXECUTE FUNCTION tell_change()

table defibrillateurs
  id uuid not null
  gid text not null
  nom text
  adresse text
  code_postal text
  commune_nom text
  code_insee text
  registre_code text
  latitude double precision
  longitude double precision
  acces text
  acces_libre boolean
  etage text
  acces_complement text
  disponibilite text
  disponibilite_complement text
  etat_fonctionnement text
  photo_url text
  date_installation date
  mis_a_jour_le timestamp(3) with time zone
  retenu boolean not null
  statut_admin_commune text not null default 'actif'::text
  note_commune text
  statut_admin_france text not null default 'actif'::text
  note_france text
  absent_depuis timestamp(3) with time zone
  visible boolean not null generated as retenu AND absent_depuis IS NULL AND statut_admin_commune = 'actif'::text AND statut_admin_france = 'actif'::text
  departement text generated as "left"(COALESCE(code_insee, code_postal),
CASE
    WHEN "left"(COALESCE(code_insee, code_postal), 2) = ANY (ARRAY['97'::text, '98'::text]) THEN 3
    ELSE 2
END)
  position cube generated as globe_point(latitude, longitude)
  sort_name text not null generated as search_key(COALESCE(nom, ''::text))
  sort_commune text generated as search_key(commune_nom)
  search_text text not null generated as ' '::text || search_key((((((COALESCE(nom, ''::text) || ' '::text) || COALESCE(adresse, ''::text)) || ' '::text) || COALESCE(code_postal, ''::text)) || ' '::text) || COALESCE(commune_nom, ''::text))
  version integer not null default 1
  created_at timestamp(3) with time zone not null default now()
  updated_at timestamp(3) with time zone not null default now()
  constraint defibrillateurs_coordinates CHECK ((latitude IS NULL) = (longitude IS NULL) AND latitude >= '-90'::integer::double precision AND latitude <= 90::double precision AND longitude >= '-180'::integer::double precision AND longitude <= 180::double precision)
  constraint defibrillateurs_gid_key UNIQUE (gid)
  constraint defibrillateurs_pkey PRIMARY KEY (id)
  constraint defibrillateurs_statut_commune CHECK (statut_admin_commune = ANY (ARRAY['actif'::text, 'masque'::text, 'a_verifier'::text]))
  constraint defibrillateurs_statut_france CHECK (statut_admin_france = ANY (ARRAY['actif'::text, 'masque'::text, 'a_verifier'::text]))
  CREATE INDEX defibrillateurs_absent ON public.defibrillateurs USING btree (sort_name, id) WHERE (absent_depuis IS NOT NULL)
  CREATE INDEX defibrillateurs_by_commune ON public.defibrillateurs USING btree (code_insee, sort_name, id)
  CREATE INDEX defibrillateurs_by_commune_name ON public.defibrillateurs USING btree (sort_commune, sort_name, id)
  CREATE INDEX defibrillateurs_by_commune_name_downwards ON public.defibrillateurs USING btree (sort_commune DESC NULLS LAST, sort_name DESC, id DESC)
  CREATE INDEX defibrillateurs_by_condition ON public.defibrillateurs USING btree (etat_fonctionnement, sort_name, id) WHERE (etat_fonctionnement <> 'En fonctionnement'::text)
  CREATE INDEX defibrillateurs_by_date ON public.defibrillateurs USING btree (mis_a_jour_le DESC NULLS LAST, id DESC)
  CREATE INDEX defibrillateurs_by_date_upwards ON public.defibrillateurs USING btree (mis_a_jour_le, id)
  CREATE INDEX defibrillateurs_by_name ON public.defibrillateurs USING btree (sort_name, id)
  CREATE INDEX defibrillateurs_by_registry_code ON public.defibrillateurs USING btree (registre_code) WHERE (absent_depuis IS NULL)
  CREATE UNIQUE INDEX defibrillateurs_gid_key ON public.defibrillateurs USING btree (gid)
  CREATE INDEX defibrillateurs_map ON public.defibrillateurs USING btree (longitude, latitude) INCLUDE (statut_admin_france, etat_fonctionnement, absent_depuis) WHERE (longitude IS NOT NULL)
  CREATE INDEX defibrillateurs_nearest ON public.defibrillateurs USING gist ("position") WHERE visible
  CREATE UNIQUE INDEX defibrillateurs_pkey ON public.defibrillateurs USING btree (id)
  CREATE INDEX defibrillateurs_public ON public.defibrillateurs USING btree (sort_name, id) WHERE visible
  CREATE INDEX defibrillateurs_search ON public.defibrillateurs USING gin (search_text gin_trgm_ops)
  CREATE INDEX defibrillateurs_set_aside_by_communes ON public.defibrillateurs USING btree (sort_name, id) WHERE (statut_admin_commune <> 'actif'::text)
  CREATE INDEX defibrillateurs_set_aside_by_france ON public.defibrillateurs USING btree (sort_name, id) WHERE (statut_admin_france <> 'actif'::text)
  CREATE TRIGGER defibrillateurs_map_deleted AFTER DELETE ON defibrillateurs REFERENCING OLD TABLE AS devices FOR EACH STATEMENT EXECUTE FUNCTION count_on_map()
  CREATE TRIGGER defibrillateurs_map_inserted AFTER INSERT ON defibrillateurs REFERENCING NEW TABLE AS devices FOR EACH STATEMENT EXECUTE FUNCTION count_on_map()
  CREATE TRIGGER defibrillateurs_map_updated AFTER UPDATE ON defibrillateurs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION recount_on_map()
  CREATE TRIGGER defibrillateurs_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON defibrillateurs FOR EACH STATEMENT EXECUTE FUNCTION tell_change()
  CREATE TRIGGER defibrillateurs_touch BEFORE UPDATE ON defibrillateurs FOR EACH ROW EXECUTE FUNCTION touch_row('visible', 'departement', 'position', 'sort_name', 'sort_commune', 'search_text')

table defibrillateurs_received
  sync_id uuid not null
  id uuid not null
  gid text not null
  nom text
  adresse text
  code_postal text
  commune_nom text
  commune_key text
  registre_code text
  latitude double precision
  longitude double precision
  acces text
  acces_libre boolean
  etage text
  acces_complement text
  disponibilite text
  disponibilite_complement text
  etat_fonctionnement text
  photo_url text
  date_installation date
  mis_a_jour_le timestamp(3) with time zone
  retenu boolean not null

table digest_mails
  id uuid not null
  user_id uuid not null
  day date not null
  email_status text not null default 'queued'::text
  email_status_at timestamp(3) with time zone not null default now()
  email_error text
  email_tries integer not null default 0
  constraint digest_mails_email_status CHECK (email_status = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'uncertain'::text]))
  constraint digest_mails_once UNIQUE (user_id, day)
  constraint digest_mails_pkey PRIMARY KEY (id)
  constraint digest_mails_user FOREIGN KEY (user_id) REFERENCES users(id)
  CREATE INDEX digest_mails_by_day ON public.digest_mails USING btree (day)
  CREATE UNIQUE INDEX digest_mails_once ON public.digest_mails USING btree (user_id, day)
  CREATE UNIQUE INDEX digest_mails_pkey ON public.digest_mails USING btree (id)

table digests
  user_id uuid not null
  daily boolean not null
  handled_on date
  updated_at timestamp(3) with time zone not null default now()
  constraint digests_pkey PRIMARY KEY (user_id)
  constraint digests_user FOREIGN KEY (user_id) REFERENCES users(id)
  CREATE INDEX digests_due ON public.digests USING btree (handled_on, user_id) WHERE daily
  CREATE UNIQUE INDEX digests_pkey ON public.digests USING btree (user_id)

table distinct_publications
  publication_id uuid not null
  decision_id uuid not null
  constraint distinct_publications_pkey PRIMARY KEY (publication_id)
  constraint distinct_publications_publication FOREIGN KEY (publication_id) REFERENCES publications(id) ON DELETE CASCADE
  CREATE UNIQUE INDEX distinct_publications_pkey ON public.distinct_publications USING btree (publication_id)

table duplicate_groups
  duplicate_key text not null
  members integer not null
  constraint duplicate_groups_members CHECK (members >= 0)
  constraint duplicate_groups_pkey PRIMARY KEY (duplicate_key)
  CREATE UNIQUE INDEX duplicate_groups_pkey ON public.duplicate_groups USING btree (duplicate_key)

table elus
  id uuid not null
  commune_id uuid not null
  nom text not null
  prenom text not null
  fonction text not null
  ordre integer not null
  photo_url text
  mandat_debut date
  constraint elus_commune FOREIGN KEY (commune_id) REFERENCES communes(id) ON DELETE CASCADE
  constraint elus_pkey PRIMARY KEY (id)
  CREATE INDEX elus_by_commune ON public.elus USING btree (commune_id, ordre, id)
  CREATE UNIQUE INDEX elus_pkey ON public.elus USING btree (id)
  CREATE TRIGGER elus_gaps_deleted AFTER DELETE ON elus REFERENCING OLD TABLE AS rows FOR EACH STATEMENT EXECUTE FUNCTION keep_gaps_of_rows()
  CREATE TRIGGER elus_gaps_inserted AFTER INSERT ON elus REFERENCING NEW TABLE AS rows FOR EACH STATEMENT EXECUTE FUNCTION keep_gaps_of_rows()
  CREATE TRIGGER elus_gaps_updated AFTER UPDATE OF commune_id ON elus FOR EACH ROW WHEN (old.commune_id IS DISTINCT FROM new.commune_id) EXECUTE FUNCTION keep_gaps_of_row()
  CREATE TRIGGER elus_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON elus FOR EACH STATEMENT EXECUTE FUNCTION tell_change()

table email_challenges
  id uuid not null
  purpose text not null
  user_id uuid
  browser_hash bytea
  session_id uuid
  address text
  wrong_codes smallint not null default 0
  created_at timestamp(3) with time zone not null default now()
  expires_at timestamp(3) with time zone not null
  closed_at timestamp(3) with time zone
  constraint email_challenges_browser CHECK (length(browser_hash) = 32)
  constraint email_challenges_codes CHECK (wrong_codes >= 0 AND wrong_codes <= 5)
  constraint email_challenges_pkey PRIMARY KEY (id)
  constraint email_challenges_purpose CHECK (purpose = ANY (ARRAY['sign_in'::text, 'operator'::text, 'confirmation'::text, 'address'::text]))
  constraint email_challenges_session FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
  constraint email_challenges_user FOREIGN KEY (user_id) REFERENCES users(id)
  constraint email_challenges_whole CHECK ((purpose = 'sign_in'::text) = (browser_hash IS NOT NULL) AND (session_id IS NULL OR (purpose = ANY (ARRAY['confirmation'::text, 'address'::text]))) AND (session_id IS NOT NULL OR purpose <> 'confirmation'::text) AND (purpose <> 'address'::text OR address IS NOT NULL) AND ((purpose = ANY (ARRAY['sign_in'::text, 'address'::text])) OR address IS NULL) AND (purpose = 'address'::text OR address IS NULL OR user_id IS NOT NULL) AND (purpose = 'sign_in'::text OR user_id IS NOT NULL))
  CREATE INDEX email_challenges_by_browser ON public.email_challenges USING btree (browser_hash) WHERE (browser_hash IS NOT NULL)
  CREATE INDEX email_challenges_by_expiry ON public.email_challenges USING btree (expires_at)
  CREATE INDEX email_challenges_by_session ON public.email_challenges USING btree (session_id) WHERE (session_id IS NOT NULL)
  CREATE INDEX email_challenges_by_user ON public.email_challenges USING btree (user_id) WHERE (closed_at IS NULL)
  CREATE UNIQUE INDEX email_challenges_pkey ON public.email_challenges USING btree (id)

table erased_identities
  digest text not null
  tokens_valid_from timestamp(3) with time zone not null
  erased_at timestamp(3) with time zone not null default now()
  constraint erased_identities_pkey PRIMARY KEY (digest)
  CREATE INDEX erased_identities_by_age ON public.erased_identities USING btree (erased_at)
  CREATE UNIQUE INDEX erased_identities_pkey ON public.erased_identities USING btree (digest)

table export_links
  id uuid not null
  token_hash bytea not null
  user_id uuid not null
  list text not null
  query text not null
  language text not null
  created_at timestamp(3) with time zone not null default now()
  expires_at timestamp(3) with time zone not null
  constraint export_links_digest CHECK (length(token_hash) = 32)
  constraint export_links_language CHECK (language = ANY (ARRAY['fr'::text, 'en'::text]))
  constraint export_links_lengths CHECK (char_length(list) >= 1 AND char_length(list) <= 200 AND char_length(query) <= 2000)
  constraint export_links_pkey PRIMARY KEY (id)
  constraint export_links_token UNIQUE (token_hash)
  constraint export_links_user FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
  CREATE INDEX export_links_by_expiry ON public.export_links USING btree (expires_at)
  CREATE INDEX export_links_by_user ON public.export_links USING btree (user_id)
  CREATE UNIQUE INDEX export_links_pkey ON public.export_links USING btree (id)
  CREATE UNIQUE INDEX export_links_token ON public.export_links USING btree (token_hash)

table first_loads
  name text not null
  loaded_at timestamp(3) with time zone not null default now()
  constraint first_loads_pkey PRIMARY KEY (name)
  CREATE UNIQUE INDEX first_loads_pkey ON public.first_loads USING btree (name)

table identity_keys
  id smallint not null
  key bytea not null
  created_at timestamp(3) with time zone not null default now()
  constraint identity_keys_form CHECK (id > 0 AND length(key) = 32)
  constraint identity_keys_pkey PRIMARY KEY (id)
  CREATE UNIQUE INDEX identity_keys_pkey ON public.identity_keys USING btree (id)

table import_items
  source_id uuid not null
  external_id text not null
  publication_id uuid not null
  said jsonb not null
  run_id uuid not null
  action text not null
  reason text
  constraint import_items_action CHECK (action = ANY (ARRAY['created'::text, 'updated'::text, 'unchanged'::text, 'duplicate'::text]))
  constraint import_items_pkey PRIMARY KEY (source_id, external_id)
  constraint import_items_publication FOREIGN KEY (publication_id) REFERENCES publications(id) ON DELETE CASCADE
  constraint import_items_publication_key UNIQUE (publication_id)
  constraint import_items_source FOREIGN KEY (source_id) REFERENCES import_sources(id) ON DELETE CASCADE
  CREATE INDEX import_items_by_source ON public.import_items USING btree (source_id, publication_id)
  CREATE INDEX import_items_of_any_hour ON public.import_items USING btree (source_id, regexp_replace(external_id, 'T\d\d:\d\d:\d\dZ?$'::text, ''::text)) WHERE (external_id ~ 'T\d\d:\d\d:\d\dZ?$'::text)
  CREATE UNIQUE INDEX import_items_pkey ON public.import_items USING btree (source_id, external_id)
  CREATE UNIQUE INDEX import_items_publication_key ON public.import_items USING btree (publication_id)

table import_log
  run_id uuid not null
  first_line integer not null
  lines jsonb not null
  constraint import_log_pkey PRIMARY KEY (run_id, first_line)
  constraint import_log_run FOREIGN KEY (run_id) REFERENCES import_runs(id) ON DELETE CASCADE
  CREATE UNIQUE INDEX import_log_pkey ON public.import_log USING btree (run_id, first_line)

table import_run_items
  id uuid not null
  run_id uuid not null
  position integer not null
  external_id text
  title text
  action text not null
  reason text
  publication_id uuid
  constraint import_run_items_action CHECK (action = ANY (ARRAY['created'::text, 'updated'::text, 'unchanged'::text, 'duplicate'::text, 'rejected'::text]))
  constraint import_run_items_bounded CHECK ("position" >= 0 AND "position" <= 999)
  constraint import_run_items_pkey PRIMARY KEY (id)
  constraint import_run_items_position_key UNIQUE (run_id, "position")
  constraint import_run_items_run FOREIGN KEY (run_id) REFERENCES import_runs(id) ON DELETE CASCADE
  CREATE UNIQUE INDEX import_run_items_pkey ON public.import_run_items USING btree (id)
  CREATE UNIQUE INDEX import_run_items_position_key ON public.import_run_items USING btree (run_id, "position")

table import_runs
  id uuid not null
  source_id uuid not null
  dry_run boolean not null
  status text not null default 'queued'::text
  attempts integer not null default 0
  alive_at timestamp(3) with time zone not null default now()
  started_at timestamp(3) with time zone not null default date_trunc('milliseconds'::text, now())
  finished_at timestamp(3) with time zone
  fetched integer not null default 0
  created integer not null default 0
  updated integer not null default 0
  unchanged integer not null default 0
  duplicates integer not null default 0
  rejected integer not null default 0
  lines_total integer not null default 0
  error text
  held integer not null default 0
  held_decision text
  held_decided_at timestamp(3) with time zone
  constraint import_runs_counted CHECK (fetched = (created + updated + unchanged + duplicates + rejected))
  constraint import_runs_finished CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text])) = (finished_at IS NULL))
  constraint import_runs_held_decided CHECK ((held_decision IS NULL) = (held_decided_at IS NULL))
  constraint import_runs_held_decision CHECK (held_decision = ANY (ARRAY['accepted'::text, 'refused'::text]))
  constraint import_runs_held_finished CHECK (held_decision IS NULL OR held > 0 AND finished_at IS NOT NULL AND NOT dry_run)
  constraint import_runs_pkey PRIMARY KEY (id)
  constraint import_runs_source FOREIGN KEY (source_id) REFERENCES import_sources(id) ON DELETE CASCADE
  constraint import_runs_status CHECK (status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'partial'::text, 'failed'::text]))
  CREATE INDEX import_runs_alive ON public.import_runs USING btree (alive_at) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]))
  CREATE INDEX import_runs_by_source ON public.import_runs USING btree (source_id, started_at DESC, id DESC) INCLUDE (status, dry_run)
  CREATE INDEX import_runs_by_status ON public.import_runs USING btree (status, started_at, id) INCLUDE (source_id, dry_run)
  CREATE INDEX import_runs_by_time ON public.import_runs USING btree (started_at, id) INCLUDE (source_id, status, dry_run)
  CREATE INDEX import_runs_finished ON public.import_runs USING btree (finished_at) WHERE (finished_at IS NOT NULL)
  CREATE INDEX import_runs_held ON public.import_runs USING btree (started_at, id) WHERE ((held > 0) AND (held_decision IS NULL) AND (NOT dry_run) AND (finished_at IS NOT NULL))
  CREATE INDEX import_runs_last ON public.import_runs USING btree (source_id, started_at DESC, id DESC) WHERE (NOT dry_run)
  CREATE UNIQUE INDEX import_runs_one_at_a_time ON public.import_runs USING btree (source_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]))
  CREATE UNIQUE INDEX import_runs_pkey ON public.import_runs USING btree (id)

table import_sources
  id uuid not null
  nom text not null
  type text not null
  url text not null
  acteur_id uuid
  commune_id uuid
  type_id uuid
  moderation_status text not null default 'pending'::text
  actif boolean not null default true
  skip_duplicates boolean not null default true
  cron text
  mapping jsonb
  failures integer not null default 0
  paused_reason text
  next_run_at timestamp(3) with time zone
  etag text
  last_modified text
  deleted_at timestamp(3) with time zone
  search_text text generated as ' '::text || search_key(nom)
  version integer not null default 1
  created_at timestamp(3) with time zone not null default now()
  updated_at timestamp(3) with time zone not null default now()
  constraint import_sources_acteur FOREIGN KEY (acteur_id) REFERENCES acteurs(id)
  constraint import_sources_commune FOREIGN KEY (commune_id) REFERENCES communes(id)
  constraint import_sources_due CHECK (next_run_at IS NULL OR actif AND cron IS NOT NULL AND deleted_at IS NULL)
  constraint import_sources_mapping CHECK ((type = ANY (ARRAY['csv'::text, 'json'::text])) = (mapping IS NOT NULL))
  constraint import_sources_paused CHECK (NOT actif OR paused_reason IS NULL)
  constraint import_sources_pkey PRIMARY KEY (id)
  constraint import_sources_status CHECK (moderation_status = ANY (ARRAY['published'::text, 'pending'::text]))
  constraint import_sources_type CHECK (type = ANY (ARRAY['rss'::text, 'ics'::text, 'csv'::text, 'json'::text, 'openagenda'::text]))
  constraint import_sources_type_id FOREIGN KEY (type_id) REFERENCES publication_types(id)
  CREATE INDEX import_sources_by_acteur ON public.import_sources USING btree (acteur_id, id) WHERE (deleted_at IS NULL)
  CREATE INDEX import_sources_by_commune ON public.import_sources USING btree (commune_id)
  CREATE INDEX import_sources_by_name ON public.import_sources USING btree (search_text, id) WHERE (deleted_at IS NULL)
  CREATE INDEX import_sources_by_time ON public.import_sources USING btree (created_at, id) INCLUDE (type, actif) WHERE (deleted_at IS NULL)
  CREATE INDEX import_sources_deleted ON public.import_sources USING btree (id) WHERE (deleted_at IS NOT NULL)
  CREATE INDEX import_sources_due ON public.import_sources USING btree (next_run_at) WHERE (next_run_at IS NOT NULL)
  CREATE INDEX import_sources_live ON public.import_sources USING btree (id) INCLUDE (type, actif) WHERE (deleted_at IS NULL)
  CREATE UNIQUE INDEX import_sources_pkey ON public.import_sources USING btree (id)
  CREATE INDEX import_sources_search ON public.import_sources USING gin (search_text gin_trgm_ops) WHERE (deleted_at IS NULL)
  CREATE TRIGGER import_sources_follow_merge BEFORE INSERT OR UPDATE OF acteur_id ON import_sources FOR EACH ROW WHEN (new.acteur_id IS NOT NULL) EXECUTE FUNCTION follow_merge()
  CREATE TRIGGER import_sources_touch BEFORE UPDATE ON import_sources FOR EACH ROW EXECUTE FUNCTION touch_row('search_text', 'failures', 'next_run_at', 'etag', 'last_modified')

table kept_answers
  key text not null
  body_digest text not null
  answer json not null
  user_id uuid
  created_at timestamp(3) with time zone not null default now()
  constraint kept_answers_pkey PRIMARY KEY (key)
  CREATE INDEX kept_answers_by_age ON public.kept_answers USING btree (created_at)
  CREATE UNIQUE INDEX kept_answers_pkey ON public.kept_answers USING btree (key)

table kysely_migration
  name character varying(255) not null
  timestamp character varying(255) not null
  constraint kysely_migration_pkey PRIMARY KEY (name)
  CREATE UNIQUE INDEX kysely_migration_pkey ON public.kysely_migration USING btree (name)

table kysely_migration_lock
  id character varying(255) not null
  is_locked integer not null default 0
  constraint kysely_migration_lock_pkey PRIMARY KEY (id)
  CREATE UNIQUE INDEX kysely_migration_lock_pkey ON public.kysely_migration_lock USING btree (id)

table last_backup
  one boolean not null default true
  made_at timestamp(3) with time zone not null
  bytes bigint not null
  constraint last_backup_one CHECK (one)
  constraint last_backup_pkey PRIMARY KEY (one)
  CREATE UNIQUE INDEX last_backup_pkey ON public.last_backup USING btree (one)

table listing_counts
  list text not null
  key uuid not null
  type_id uuid
  n integer not null
  constraint listing_counts_list CHECK (list = ANY (ARRAY['all'::text, 'commune'::text, 'acteur'::text]))
  CREATE INDEX listing_counts_by_list ON public.listing_counts USING btree (list, key)
  CREATE TRIGGER listing_counts_gather AFTER INSERT ON listing_counts REFERENCING NEW TABLE AS added FOR EACH STATEMENT WHEN (random() < 0.02::double precision) EXECUTE FUNCTION gather_listing_counts()

table mail_notices
  only_one boolean not null default true
  told_until timestamp(3) with time zone not null
  constraint mail_notices_one_row CHECK (only_one)
  constraint mail_notices_pkey PRIMARY KEY (only_one)
  CREATE UNIQUE INDEX mail_notices_pkey ON public.mail_notices USING btree (only_one)

table migration_digests
  name text not null
  digest text not null
  constraint migration_digests_pkey PRIMARY KEY (name)
  CREATE UNIQUE INDEX migration_digests_pkey ON public.migration_digests USING btree (name)

table notes
  id uuid not null
  kind text not null
  record_id uuid not null
  body text not null
  created_by uuid not null
  created_at timestamp(3) with time zone not null default now()
  constraint notes_author FOREIGN KEY (created_by) REFERENCES users(id)
  constraint notes_body_length CHECK (char_length(body) >= 1 AND char_length(body) <= 2000)
  constraint notes_kind CHECK (kind = ANY (ARRAY['publication'::text, 'acteur'::text, 'commune'::text, 'user'::text, 'claim'::text, 'thread'::text, 'import_source'::text, 'subscription'::text, 'defibrillateur'::text]))
  constraint notes_pkey PRIMARY KEY (id)
  CREATE INDEX notes_by_age ON public.notes USING btree (created_at)
  CREATE INDEX notes_by_author ON public.notes USING btree (created_by, id)
  CREATE INDEX notes_by_record ON public.notes USING btree (kind, record_id, id DESC)
  CREATE UNIQUE INDEX notes_pkey ON public.notes USING btree (id)
  CREATE TRIGGER notes_follow_merge BEFORE INSERT OR UPDATE OF record_id ON notes FOR EACH ROW WHEN (new.kind = 'acteur'::text) EXECUTE FUNCTION follow_merge_of_note()

table oidc_id_tokens
  session_id uuid not null
  id_token bytea not null
  constraint oidc_id_tokens_pkey PRIMARY KEY (session_id)
  constraint oidc_id_tokens_session FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
  constraint oidc_id_tokens_size CHECK (length(id_token) <= 8192)
  CREATE UNIQUE INDEX oidc_id_tokens_pkey ON public.oidc_id_tokens USING btree (session_id)

table passkeys
  id uuid not null
  user_id uuid not null
  credential_id text not null
  public_key bytea not null
  counter bigint not null
  transports text[] not null default '{}'::text[]
  label text not null
  created_at timestamp(3) with time zone not null default now()
  last_used_at timestamp(3) with time zone
  constraint passkeys_credential_key UNIQUE (credential_id)
  constraint passkeys_label CHECK (length(label) >= 1 AND length(label) <= 100)
  constraint passkeys_pkey PRIMARY KEY (id)
  constraint passkeys_user FOREIGN KEY (user_id) REFERENCES users(id)
  CREATE INDEX passkeys_by_user ON public.passkeys USING btree (user_id, id)
  CREATE UNIQUE INDEX passkeys_credential_key ON public.passkeys USING btree (credential_id)
  CREATE UNIQUE INDEX passkeys_pkey ON public.passkeys USING btree (id)
  CREATE TRIGGER passkeys_told AFTER INSERT OR DELETE OR TRUNCATE ON passkeys FOR EACH STATEMENT EXECUTE FUNCTION tell_change()

table payment_customers
  id text not null
  acteur_id uuid not null
  said_at timestamp(0) with time zone not null
  said_rank smallint not null
  said_by text not null
  constraint payment_customers_acteur FOREIGN KEY (acteur_id) REFERENCES acteurs(id)
  constraint payment_customers_pkey PRIMARY KEY (id)
  CREATE INDEX payment_customers_by_acteur ON public.payment_customers USING btree (acteur_id)
  CREATE UNIQUE INDEX payment_customers_pkey ON public.payment_customers USING btree (id)
  CREATE TRIGGER payment_customers_follow_merge BEFORE INSERT OR UPDATE OF acteur_id ON payment_customers FOR EACH ROW EXECUTE FUNCTION follow_merge()

table payment_events
  id text not null
  type text not null
  occurred_at timestamp(0) with time zone
  status text not null default 'received'::text
  tries integer not null default 0
  error text
  received_at timestamp(3) with time zone not null default now()
  ended_at timestamp(3) with time zone
  fields jsonb
  version integer not null default 1
  updated_at timestamp(3) with time zone not null default now()
  constraint payment_events_ended CHECK ((status = 'received'::text) = (ended_at IS NULL))
  constraint payment_events_failed_why CHECK (status <> 'failed'::text OR error IS NOT NULL)
  constraint payment_events_fields_object CHECK (jsonb_typeof(fields) = 'object'::text)
  constraint payment_events_pkey PRIMARY KEY (id)
  constraint payment_events_status CHECK (status = ANY (ARRAY['received'::text, 'processed'::text, 'ignored'::text, 'failed'::text]))
  CREATE INDEX payment_events_by_change ON public.payment_events USING btree (updated_at)
  CREATE INDEX payment_events_by_receipt ON public.payment_events USING btree (received_at DESC, id DESC)
  CREATE INDEX payment_events_by_status ON public.payment_events USING btree (status, received_at DESC, id DESC)
  CREATE INDEX payment_events_failed ON public.payment_events USING btree (received_at, id) WHERE (status = 'failed'::text)
  CREATE INDEX payment_events_kept ON public.payment_events USING btree (received_at) WHERE ((fields IS NOT NULL) AND (status <> 'received'::text))
  CREATE INDEX payment_events_of_subscription ON public.payment_events USING btree (((fields ->> 'subscription'::text)), received_at DESC, id DESC) WHERE (fields IS NOT NULL)
  CREATE UNIQUE INDEX payment_events_pkey ON public.payment_events USING btree (id)
  CREATE INDEX payment_events_waiting ON public.payment_events USING btree (received_at) WHERE (status = 'received'::text)
  CREATE TRIGGER payment_events_touch BEFORE UPDATE ON payment_events FOR EACH ROW EXECUTE FUNCTION touch_row()

table person_export_chunks
  export_id uuid not null
  number integer not null
  content bytea not null
  constraint person_export_chunks_export FOREIGN KEY (export_id) REFERENCES person_exports(id) ON DELETE CASCADE
  constraint person_export_chunks_pkey PRIMARY KEY (export_id, number)
  CREATE UNIQUE INDEX person_export_chunks_pkey ON public.person_export_chunks USING btree (export_id, number)

table person_exports
  id uuid not null
  user_ids uuid[] not null
  emails text[] not null
  also uuid[] not null default '{}'::uuid[]
  requested_by uuid not null
  status text not null default 'queued'::text
  attempt integer not null default 0
  sections integer not null
  sections_done integer not null default 0
  bytes bigint
  error text
  created_at timestamp(3) with time zone not null default now()
  ready_at timestamp(3) with time zone
  fetched_at timestamp(3) with time zone
  expires_at timestamp(3) with time zone not null default (now() + '24:00:00'::interval)
  constraint person_exports_error CHECK (error = ANY (ARRAY['too_large'::text, 'failed'::text]))
  constraint person_exports_failed CHECK ((status = 'failed'::text) = (error IS NOT NULL))
  constraint person_exports_fetched CHECK ((status = 'fetched'::text) = (fetched_at IS NOT NULL))
  constraint person_exports_pkey PRIMARY KEY (id)
  constraint person_exports_progress CHECK (sections_done >= 0 AND sections_done <= sections)
  constraint person_exports_ready CHECK ((status = ANY (ARRAY['ready'::text, 'fetched'::text])) = (ready_at IS NOT NULL) AND (ready_at IS NULL) = (bytes IS NULL))
  constraint person_exports_requested_by FOREIGN KEY (requested_by) REFERENCES users(id)
  constraint person_exports_status CHECK (status = ANY (ARRAY['queued'::text, 'running'::text, 'ready'::text, 'fetched'::text, 'failed'::text]))
  CREATE INDEX person_exports_by_expiry ON public.person_exports USING btree (expires_at)
  CREATE INDEX person_exports_by_requester ON public.person_exports USING btree (requested_by)
  CREATE INDEX person_exports_by_time ON public.person_exports USING btree (created_at DESC, id DESC)
  CREATE INDEX person_exports_open ON public.person_exports USING btree (created_at) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]))
  CREATE UNIQUE INDEX person_exports_pkey ON public.person_exports USING btree (id)

table presence
  kind text not null
  record_id uuid not null
  user_id uuid not null
  seen_at timestamp(3) with time zone not null default now()
  constraint presence_kind CHECK (kind = ANY (ARRAY['publication'::text, 'acteur'::text, 'commune'::text, 'user'::text, 'claim'::text, 'thread'::text, 'import_source'::text, 'subscription'::text, 'defibrillateur'::text]))
  constraint presence_pkey PRIMARY KEY (kind, record_id, user_id)
  constraint presence_user FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
  CREATE INDEX presence_by_age ON public.presence USING btree (seen_at)
  CREATE INDEX presence_by_user ON public.presence USING btree (user_id)
  CREATE UNIQUE INDEX presence_pkey ON public.presence USING btree (kind, record_id, user_id)

table publication_changes
  id bigint not null
  publication_id uuid not null
  at timestamp with time zone not null
  communes_before uuid[]
  communes_after uuid[]
  is_scheduled boolean not null default false
  transaction_id xid8 not null default pg_current_xact_id()
  began_at timestamp with time zone not null default now()
  constraint publication_changes_once UNIQUE (publication_id, transaction_id, began_at, is_scheduled)
  constraint publication_changes_pkey PRIMARY KEY (id)
  constraint publication_changes_scheduled_new CHECK (NOT is_scheduled OR communes_before IS NULL)
  CREATE INDEX publication_changes_by_time ON public.publication_changes USING btree (at, id)
  CREATE UNIQUE INDEX publication_changes_once ON public.publication_changes USING btree (publication_id, transaction_id, began_at, is_scheduled)
  CREATE UNIQUE INDEX publication_changes_pkey ON public.publication_changes USING btree (id)
  CREATE INDEX publication_changes_scheduled ON public.publication_changes USING btree (publication_id) WHERE is_scheduled

table publication_communes
  publication_id uuid not null
  commune_id uuid not null
  constraint publication_communes_commune FOREIGN KEY (commune_id) REFERENCES communes(id)
  constraint publication_communes_pkey PRIMARY KEY (publication_id, commune_id)
  constraint publication_communes_publication FOREIGN KEY (publication_id) REFERENCES publications(id) ON DELETE CASCADE
  CREATE INDEX publication_communes_of_commune ON public.publication_communes USING btree (commune_id)
  CREATE UNIQUE INDEX publication_communes_pkey ON public.publication_communes USING btree (publication_id, commune_id)
  CREATE TRIGGER publication_communes_deleted AFTER DELETE ON publication_communes REFERENCING OLD TABLE AS rows FOR EACH STATEMENT EXECUTE FUNCTION keep_commune_lists()
  CREATE TRIGGER publication_communes_inserted AFTER INSERT ON publication_communes REFERENCING NEW TABLE AS rows FOR EACH STATEMENT EXECUTE FUNCTION keep_commune_lists()
  CREATE TRIGGER publication_communes_told AFTER UPDATE OR TRUNCATE ON publication_communes FOR EACH STATEMENT EXECUTE FUNCTION tell_change('publications', 'publications*')

table publication_counts
  list text not null
  key uuid not null
  type_id uuid
  moderation_status text not null
  valide boolean not null
  deleted boolean not null
  n integer not null
  constraint publication_counts_list CHECK (list = ANY (ARRAY['all'::text, 'commune'::text, 'acteur'::text]))
  CREATE INDEX publication_counts_by_list ON public.publication_counts USING btree (list, key)
  CREATE TRIGGER publication_counts_gather AFTER INSERT ON publication_counts REFERENCING NEW TABLE AS added FOR EACH STATEMENT WHEN (random() < 0.02::double precision) EXECUTE FUNCTION gather_publication_counts()

table publication_listings
  commune_id uuid not null
  publication_id uuid not null
  publie_le timestamp(3) with time zone not null
  acteur_id uuid
  type_id uuid
  featured_until timestamp(3) with time zone
  epingle boolean not null
  date_debut date
  date_fin date
  constraint publication_listings_pkey PRIMARY KEY (publication_id, commune_id)
  CREATE INDEX publication_listings_by_acteur ON public.publication_listings USING btree (acteur_id, publie_le DESC, publication_id DESC) INCLUDE (epingle, featured_until) WHERE (commune_id = '00000000-0000-0000-0000-000000000000'::uuid)
  CREATE INDEX publication_listings_by_date ON public.publication_listings USING btree (commune_id, date_debut, publication_id) INCLUDE (publie_le)
  CREATE INDEX publication_listings_by_last_day ON public.publication_listings USING btree (commune_id, COALESCE(date_fin, date_debut)) INCLUDE (publication_id, publie_le, date_debut, date_fin, featured_until) WHERE (date_debut IS NOT NULL)
  CREATE INDEX publication_listings_by_type ON public.publication_listings USING btree (type_id, publie_le DESC, publication_id DESC) INCLUDE (featured_until) WHERE (commune_id = '00000000-0000-0000-0000-000000000000'::uuid)
  CREATE INDEX publication_listings_featured ON public.publication_listings USING btree (commune_id) WHERE (featured_until IS NOT NULL)
  CREATE INDEX publication_listings_newest ON public.publication_listings USING btree (commune_id, publie_le DESC, publication_id DESC) INCLUDE (featured_until)
  CREATE INDEX publication_listings_pinned ON public.publication_listings USING btree (acteur_id) WHERE ((commune_id = '00000000-0000-0000-0000-000000000000'::uuid) AND epingle)
  CREATE UNIQUE INDEX publication_listings_pkey ON public.publication_listings USING btree (publication_id, commune_id)
  CREATE INDEX publication_listings_under_way ON public.publication_listings USING btree (commune_id, (((date_fin - date_debut) > 31)), date_fin) INCLUDE (date_debut, publication_id, publie_le) WHERE (date_fin > date_debut)

table publication_mails
  id uuid not null
  publication_id uuid not null
  decision_id uuid
  kind text not null
  email_status text not null default 'queued'::text
  email_status_at timestamp(3) with time zone not null default now()
  email_error text
  email_tries integer not null default 0
  created_at timestamp(3) with time zone not null default now()
  reason text
  constraint publication_mails_email_status CHECK (email_status = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'uncertain'::text]))
  constraint publication_mails_kind CHECK (kind = ANY (ARRAY['rejected'::text, 'corrected'::text]))
  constraint publication_mails_pkey PRIMARY KEY (id)
  constraint publication_mails_publication FOREIGN KEY (publication_id) REFERENCES publications(id) ON DELETE CASCADE
  CREATE INDEX publication_mails_by_age ON public.publication_mails USING btree (created_at)
  CREATE INDEX publication_mails_by_decision ON public.publication_mails USING btree (decision_id) WHERE (decision_id IS NOT NULL)
  CREATE INDEX publication_mails_by_publication ON public.publication_mails USING btree (publication_id)
  CREATE INDEX publication_mails_by_status ON public.publication_mails USING btree (email_status, email_status_at DESC, id DESC)
  CREATE INDEX publication_mails_open ON public.publication_mails USING btree (email_status, email_status_at) WHERE (email_status = ANY (ARRAY['queued'::text, 'sending'::text, 'uncertain'::text]))
  CREATE UNIQUE INDEX publication_mails_pkey ON public.publication_mails USING btree (id)

table publication_reports
  id uuid not null
  publication_id uuid not null
  caller_key text not null
  day date not null
  category text
  reason text
  message text
  closed_at timestamp(3) with time zone
  created_at timestamp(3) with time zone not null default now()
  constraint publication_reports_category CHECK (category = ANY (ARRAY['spam'::text, 'inappropriate'::text, 'wrong'::text, 'duplicate'::text, 'other'::text]))
  constraint publication_reports_pkey PRIMARY KEY (id)
  constraint publication_reports_publication FOREIGN KEY (publication_id) REFERENCES publications(id) ON DELETE CASCADE
  CREATE INDEX publication_reports_by_publication ON public.publication_reports USING btree (publication_id, created_at DESC, id DESC)
  CREATE INDEX publication_reports_by_reporter ON public.publication_reports USING btree (caller_key)
  CREATE INDEX publication_reports_closed ON public.publication_reports USING btree (closed_at) WHERE (closed_at IS NOT NULL)
  CREATE INDEX publication_reports_oldest ON public.publication_reports USING btree (created_at, id) INCLUDE (category, publication_id) WHERE (closed_at IS NULL)
  CREATE UNIQUE INDEX publication_reports_once ON public.publication_reports USING btree (publication_id, caller_key, day) WHERE (closed_at IS NULL)
  CREATE INDEX publication_reports_open ON public.publication_reports USING btree (publication_id) WHERE (closed_at IS NULL)
  CREATE UNIQUE INDEX publication_reports_pkey ON public.publication_reports USING btree (id)

table publication_types
  id uuid not null
  slug text not null
  libelle text not null
  position integer not null
  version integer not null default 1
  updated_at timestamp(3) with time zone not null default now()
  constraint publication_types_pkey PRIMARY KEY (id)
  constraint publication_types_slug_key UNIQUE (slug)
  CREATE UNIQUE INDEX publication_types_pkey ON public.publication_types USING btree (id)
  CREATE UNIQUE INDEX publication_types_slug_key ON public.publication_types USING btree (slug)
  CREATE TRIGGER publication_types_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON publication_types FOR EACH STATEMENT EXECUTE FUNCTION tell_change()
  CREATE TRIGGER publication_types_touch BEFORE UPDATE ON publication_types FOR EACH ROW EXECUTE FUNCTION touch_row()

table publication_versions
  id uuid not null
  publication_id uuid not null
  title text not null
  body text not null
  written_by uuid
  written_at timestamp(3) with time zone not null
  how text not null
  constraint publication_versions_how CHECK (how = ANY (ARRAY['created'::text, 'edited'::text, 'corrected'::text, 'imported'::text]))
  constraint publication_versions_pkey PRIMARY KEY (id)
  constraint publication_versions_publication FOREIGN KEY (publication_id) REFERENCES publications(id) ON DELETE CASCADE
  constraint publication_versions_written_by FOREIGN KEY (written_by) REFERENCES users(id)
  CREATE INDEX publication_versions_by_age ON public.publication_versions USING btree (written_at)
  CREATE INDEX publication_versions_by_author ON public.publication_versions USING btree (written_by, id) WHERE (written_by IS NOT NULL)
  CREATE INDEX publication_versions_by_publication ON public.publication_versions USING btree (publication_id, written_at DESC, id DESC)
  CREATE UNIQUE INDEX publication_versions_pkey ON public.publication_versions USING btree (id)

table publications
  id uuid not null
  slug text not null
  title text not null
  body text not null
  acteur_id uuid
  commune_id uuid
  type_id uuid
  date_debut date
  date_fin date
  source_url text
  image_url text
  epingle boolean not null default false
  moderation_status text not null default 'pending'::text
  moderation_reason text
  decided_centrally boolean not null default false
  valide boolean not null default false
  publie_le timestamp(3) with time zone
  en_avant boolean not null default false
  featured_until timestamp(3) with time zone
  deleted_at timestamp(3) with time zone
  created_by uuid
  duplicate_key text not null
  search tsvector
  sort_title text
  version integer not null default 1
  created_at timestamp(3) with time zone not null default now()
  updated_at timestamp(3) with time zone not null default now()
  heure_debut time(0) without time zone
  heure_fin time(0) without time zone
  constraint publications_acteur FOREIGN KEY (acteur_id) REFERENCES acteurs(id)
  constraint publications_commune FOREIGN KEY (commune_id) REFERENCES communes(id)
  constraint publications_created_by FOREIGN KEY (created_by) REFERENCES users(id)
  constraint publications_dates_order CHECK (date_fin >= date_debut)
  constraint publications_duplicate_key_form CHECK (duplicate_key ~ '^[us]:[0-9a-f]{32}$'::text)
  constraint publications_featured_whole CHECK (en_avant OR featured_until IS NULL)
  constraint publications_heure_debut_day CHECK (heure_debut IS NULL OR date_debut IS NOT NULL)
  constraint publications_heure_fin_start CHECK (heure_fin IS NULL OR heure_debut IS NOT NULL)
  constraint publications_heures_minutes CHECK (heure_debut < '24:00:00'::time without time zone AND heure_fin < '24:00:00'::time without time zone AND EXTRACT(second FROM heure_debut) = 0::numeric AND EXTRACT(second FROM heure_fin) = 0::numeric)
  constraint publications_heures_order CHECK (heure_fin > heure_debut OR heure_fin = '00:00:00'::time without time zone OR COALESCE(date_fin > date_debut, false))
  constraint publications_pkey PRIMARY KEY (id)
  constraint publications_published_time CHECK (moderation_status <> 'published'::text OR publie_le IS NOT NULL)
  constraint publications_status CHECK (moderation_status = ANY (ARRAY['pending'::text, 'approved'::text, 'published'::text, 'rejected'::text]))
  constraint publications_title_length CHECK (char_length(title) >= 1 AND char_length(title) <= 200)
  constraint publications_type FOREIGN KEY (type_id) REFERENCES publication_types(id)
  constraint publications_valid_status CHECK (NOT valide OR (moderation_status = ANY (ARRAY['approved'::text, 'published'::text])))
  CREATE INDEX publications_by_author ON public.publications USING btree (created_by, created_at DESC, id DESC) INCLUDE (deleted_at) WHERE (created_by IS NOT NULL)
  CREATE INDEX publications_by_created ON public.publications USING btree (created_at DESC, id DESC) INCLUDE (deleted_at)
  CREATE INDEX publications_by_date ON public.publications USING btree (date_debut DESC NULLS LAST, id DESC) INCLUDE (deleted_at)
  CREATE INDEX publications_by_date_upwards ON public.publications USING btree (date_debut, id) INCLUDE (deleted_at)
  CREATE INDEX publications_by_publie ON public.publications USING btree (publie_le DESC NULLS LAST, id DESC) INCLUDE (deleted_at)
  CREATE INDEX publications_by_publie_upwards ON public.publications USING btree (publie_le, id) INCLUDE (deleted_at)
  CREATE INDEX publications_by_status ON public.publications USING btree (moderation_status, created_at DESC, id DESC) INCLUDE (deleted_at, valide, publie_le)
  CREATE INDEX publications_by_title ON public.publications USING btree (sort_title, id) INCLUDE (deleted_at)
  CREATE INDEX publications_by_type ON public.publications USING btree (type_id, created_at DESC, id DESC) INCLUDE (deleted_at, valide, moderation_status, date_debut)
  CREATE INDEX publications_by_updated ON public.publications USING btree (updated_at DESC, id DESC) INCLUDE (deleted_at)
  CREATE INDEX publications_deleted ON public.publications USING btree (created_at DESC, id DESC) WHERE (deleted_at IS NOT NULL)
  CREATE INDEX publications_en_avant ON public.publications USING btree (created_at DESC, id DESC) WHERE en_avant
  CREATE INDEX publications_featured_until ON public.publications USING btree (featured_until) WHERE (en_avant AND (featured_until IS NOT NULL))
  CREATE INDEX publications_invalid ON public.publications USING btree (created_at DESC, id DESC) INCLUDE (deleted_at, moderation_status, publie_le) WHERE (NOT valide)
  CREATE INDEX publications_of_acteur ON public.publications USING btree (acteur_id, created_at DESC, id DESC) INCLUDE (deleted_at, moderation_status)
  CREATE INDEX publications_of_duplicate_key ON public.publications USING hash (duplicate_key) WHERE (deleted_at IS NULL)
  CREATE UNIQUE INDEX publications_pkey ON public.publications USING btree (id)
  CREATE INDEX publications_search ON public.publications USING gin (search) WITH (gin_pending_list_limit='256')
  CREATE INDEX publications_slug ON public.publications USING btree (slug)
  CREATE INDEX publications_unscheduled ON public.publications USING btree (created_at DESC, id DESC) WHERE ((moderation_status = 'approved'::text) AND valide AND (publie_le IS NULL) AND (deleted_at IS NULL))
  CREATE TRIGGER publications_deleted AFTER DELETE ON publications REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_publications()
  CREATE TRIGGER publications_emptied AFTER TRUNCATE ON publications FOR EACH STATEMENT EXECUTE FUNCTION empty_publication_lists()
  CREATE TRIGGER publications_follow_merge BEFORE INSERT OR UPDATE OF acteur_id ON publications FOR EACH ROW WHEN (new.acteur_id IS NOT NULL) EXECUTE FUNCTION follow_merge()
  CREATE TRIGGER publications_inserted AFTER INSERT ON publications REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_publications()
  CREATE TRIGGER publications_leave_communes BEFORE DELETE ON publications FOR EACH ROW EXECUTE FUNCTION leave_communes()
  CREATE TRIGGER publications_touch BEFORE UPDATE ON publications FOR EACH ROW WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION count_change()
  CREATE TRIGGER publications_updated AFTER UPDATE ON publications REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_publications()
  CREATE TRIGGER publications_words BEFORE INSERT OR UPDATE ON publications FOR EACH ROW EXECUTE FUNCTION keep_publication_words()

table rate_limits
  key text not null
  points integer not null
  expire bigint not null
  constraint rate_limits_key_hashed CHECK (key ~ '^[a-z]+:[A-Za-z0-9_-]{22}$'::text)
  constraint rate_limits_pkey PRIMARY KEY (key)
  CREATE INDEX rate_limits_by_expiry ON public.rate_limits USING btree (expire)
  CREATE UNIQUE INDEX rate_limits_pkey ON public.rate_limits USING btree (key)

table recovery_codes
  id uuid not null
  user_id uuid not null
  code_hash bytea not null
  used_at timestamp(3) with time zone
  created_at timestamp(3) with time zone not null default now()
  constraint recovery_codes_digest CHECK (length(code_hash) = 32)
  constraint recovery_codes_key UNIQUE (user_id, code_hash)
  constraint recovery_codes_pkey PRIMARY KEY (id)
  constraint recovery_codes_user FOREIGN KEY (user_id) REFERENCES users(id)
  CREATE UNIQUE INDEX recovery_codes_key ON public.recovery_codes USING btree (user_id, code_hash)
  CREATE UNIQUE INDEX recovery_codes_pkey ON public.recovery_codes USING btree (id)

table reply_templates
  id uuid not null
  kind text not null
  name text not null
  body text not null
  deleted_at timestamp(3) with time zone
  version integer not null default 1
  created_at timestamp(3) with time zone not null default now()
  updated_at timestamp(3) with time zone not null default now()
  constraint reply_templates_body_length CHECK (char_length(body) >= 1 AND char_length(body) <= 5000)
  constraint reply_templates_kind CHECK (kind = ANY (ARRAY['rejection'::text, 'claim'::text, 'reply'::text]))
  constraint reply_templates_name_length CHECK (char_length(name) >= 1 AND char_length(name) <= 100)
  constraint reply_templates_pkey PRIMARY KEY (id)
  CREATE UNIQUE INDEX reply_templates_name ON public.reply_templates USING btree (kind, lower(name)) WHERE (deleted_at IS NULL)
  CREATE UNIQUE INDEX reply_templates_pkey ON public.reply_templates USING btree (id)
  CREATE TRIGGER reply_templates_touch BEFORE UPDATE ON reply_templates FOR EACH ROW EXECUTE FUNCTION touch_row()

table retention_runs
  part text not null
  ran_at timestamp(3) with time zone not null
  rows integer not null
  constraint retention_runs_pkey PRIMARY KEY (part)
  CREATE UNIQUE INDEX retention_runs_pkey ON public.retention_runs USING btree (part)

table saved_views
  id uuid not null
  user_id uuid not null
  list text not null
  name text not null
  query text not null
  role text
  created_at timestamp(3) with time zone not null default now()
  constraint saved_views_lengths CHECK (char_length(list) >= 1 AND char_length(list) <= 40 AND char_length(name) >= 1 AND char_length(name) <= 100 AND char_length(query) <= 2000)
  constraint saved_views_pkey PRIMARY KEY (id)
  constraint saved_views_role CHECK (role = ANY (ARRAY['admin'::text, 'platform_admin'::text, 'moderator'::text, 'support'::text]))
  constraint saved_views_user FOREIGN KEY (user_id) REFERENCES users(id)
  CREATE INDEX saved_views_by_user ON public.saved_views USING btree (user_id, id)
  CREATE UNIQUE INDEX saved_views_named ON public.saved_views USING btree (user_id, list, name)
  CREATE UNIQUE INDEX saved_views_pkey ON public.saved_views USING btree (id)
  CREATE INDEX saved_views_shared ON public.saved_views USING btree (role, id) WHERE (role IS NOT NULL)

table sessions
  id uuid not null
  user_id uuid not null
  token_hash bytea not null
  former_hash bytea
  former_until timestamp(3) with time zone
  method text not null
  factor_at timestamp(3) with time zone
  confirmed_until timestamp(3) with time zone
  failures smallint not null default 0
  network text
  browser text
  device_hash bytea
  created_at timestamp(3) with time zone not null default now()
  last_seen_at timestamp(3) with time zone not null default now()
  expires_at timestamp(3) with time zone not null
  ended_at timestamp(3) with time zone
  constraint sessions_digests CHECK (length(token_hash) = 32 AND length(former_hash) = 32 AND length(device_hash) = 32)
  constraint sessions_former CHECK ((former_hash IS NULL) = (former_until IS NULL))
  constraint sessions_method CHECK (method = ANY (ARRAY['email'::text, 'operator'::text, 'passkey'::text, 'oidc'::text]))
  constraint sessions_pkey PRIMARY KEY (id)
  constraint sessions_texts CHECK (length(network) <= 100 AND length(browser) <= 100)
  constraint sessions_token_key UNIQUE (token_hash)
  constraint sessions_user FOREIGN KEY (user_id) REFERENCES users(id)
  CREATE INDEX sessions_by_end ON public.sessions USING btree (ended_at) WHERE (ended_at IS NOT NULL)
  CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at)
  CREATE INDEX sessions_by_former ON public.sessions USING btree (former_hash) WHERE (former_hash IS NOT NULL)
  CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id, id)
  CREATE UNIQUE INDEX sessions_pkey ON public.sessions USING btree (id)
  CREATE UNIQUE INDEX sessions_token_key ON public.sessions USING btree (token_hash)
  CREATE TRIGGER sessions_told AFTER DELETE OR UPDATE OF token_hash, former_hash, former_until, factor_at, confirmed_until, ended_at OR TRUNCATE ON sessions FOR EACH STATEMENT EXECUTE FUNCTION tell_change()

table subscriptions
  id uuid not null
  provider_subscription_id text not null
  provider_customer_id text
  price text
  status text
  current_period_start timestamp(0) with time zone
  current_period_end timestamp(0) with time zone
  cancel_at_period_end boolean not null default false
  canceled_at timestamp(0) with time zone
  trial_end timestamp(0) with time zone
  acteur_id uuid
  acteur_set uuid
  acteur_said uuid
  acteur_of_checkout uuid
  status_at timestamp(0) with time zone
  status_rank smallint
  status_by text
  checkout_at timestamp(0) with time zone
  checkout_rank smallint
  checkout_by text
  version integer not null default 1
  created_at timestamp(3) with time zone not null default now()
  updated_at timestamp(3) with time zone not null default now()
  constraint subscriptions_acteur FOREIGN KEY (acteur_id) REFERENCES acteurs(id)
  constraint subscriptions_acteur_as_set CHECK (acteur_set IS NULL OR acteur_id = acteur_set)
  constraint subscriptions_acteur_of_checkout FOREIGN KEY (acteur_of_checkout) REFERENCES acteurs(id)
  constraint subscriptions_acteur_said FOREIGN KEY (acteur_said) REFERENCES acteurs(id)
  constraint subscriptions_acteur_set FOREIGN KEY (acteur_set) REFERENCES acteurs(id)
  constraint subscriptions_checkout_from CHECK (num_nulls(checkout_at, checkout_rank, checkout_by) = ANY (ARRAY[0, 3]))
  constraint subscriptions_pkey PRIMARY KEY (id)
  constraint subscriptions_provider_key UNIQUE (provider_subscription_id)
  constraint subscriptions_status CHECK (status = ANY (ARRAY['incomplete'::text, 'incomplete_expired'::text, 'trialing'::text, 'active'::text, 'past_due'::text, 'canceled'::text, 'unpaid'::text, 'paused'::text]))
  constraint subscriptions_status_from CHECK (num_nulls(status, status_at, status_rank, status_by) = ANY (ARRAY[0, 4]))
  CREATE INDEX subscriptions_by_acteur ON public.subscriptions USING btree (acteur_id, id) WHERE (acteur_id IS NOT NULL)
  CREATE INDEX subscriptions_by_acteur_of_checkout ON public.subscriptions USING btree (acteur_of_checkout) WHERE (acteur_of_checkout IS NOT NULL)
  CREATE INDEX subscriptions_by_acteur_said ON public.subscriptions USING btree (acteur_said) WHERE (acteur_said IS NOT NULL)
  CREATE INDEX subscriptions_by_acteur_set ON public.subscriptions USING btree (acteur_set) WHERE (acteur_set IS NOT NULL)
  CREATE INDEX subscriptions_by_created ON public.subscriptions USING btree (created_at, id)
  CREATE INDEX subscriptions_by_customer ON public.subscriptions USING btree (provider_customer_id) WHERE (provider_customer_id IS NOT NULL)
  CREATE INDEX subscriptions_by_period_end ON public.subscriptions USING btree (current_period_end, id)
  CREATE INDEX subscriptions_by_period_end_downwards ON public.subscriptions USING btree (current_period_end DESC NULLS LAST, id DESC)
  CREATE INDEX subscriptions_by_price ON public.subscriptions USING btree (price, id)
  CREATE INDEX subscriptions_by_status ON public.subscriptions USING btree (status, id)
  CREATE UNIQUE INDEX subscriptions_pkey ON public.subscriptions USING btree (id)
  CREATE UNIQUE INDEX subscriptions_provider_key ON public.subscriptions USING btree (provider_subscription_id)
  CREATE INDEX subscriptions_running ON public.subscriptions USING btree (price) WHERE (status = ANY (ARRAY['trialing'::text, 'active'::text]))
  CREATE TRIGGER subscriptions_follow_merge BEFORE INSERT OR UPDATE OF acteur_id, acteur_set, acteur_said, acteur_of_checkout ON subscriptions FOR EACH ROW EXECUTE FUNCTION follow_merges_of_subscription()
  CREATE TRIGGER subscriptions_touch BEFORE UPDATE ON subscriptions FOR EACH ROW EXECUTE FUNCTION touch_row('acteur_said', 'acteur_of_checkout', 'status_at', 'status_rank', 'status_by', 'checkout_at', 'checkout_rank', 'checkout_by')

table support_drafts
  thread_id uuid not null
  user_id uuid not null
  body text not null
  updated_at timestamp(3) with time zone not null default now()
  constraint support_drafts_body_length CHECK (char_length(body) >= 1 AND char_length(body) <= 10000)
  constraint support_drafts_pkey PRIMARY KEY (thread_id, user_id)
  constraint support_drafts_thread FOREIGN KEY (thread_id) REFERENCES support_threads(id) ON DELETE CASCADE
  constraint support_drafts_user FOREIGN KEY (user_id) REFERENCES users(id)
  CREATE INDEX support_drafts_by_user ON public.support_drafts USING btree (user_id, thread_id)
  CREATE UNIQUE INDEX support_drafts_pkey ON public.support_drafts USING btree (thread_id, user_id)

table support_messages
  id uuid not null
  thread_id uuid not null
  direction text not null
  body text not null
  author_id uuid
  message_id text not null
  email_status text
  email_status_at timestamp(3) with time zone
  email_error text
  email_tries integer not null default 0
  created_at timestamp(3) with time zone not null default now()
  reopened_thread boolean not null default false
  read_thread boolean not null default false
  may_have_arrived boolean not null default false
  thread_closed_at timestamp(3) with time zone
  constraint support_messages_author FOREIGN KEY (author_id) REFERENCES users(id)
  constraint support_messages_body_length CHECK (char_length(body) >= 1 AND char_length(body) <= 10000)
  constraint support_messages_direction CHECK (direction = ANY (ARRAY['inbound'::text, 'outbound'::text]))
  constraint support_messages_email_status CHECK (email_status = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'uncertain'::text]))
  constraint support_messages_email_status_dated CHECK ((email_status IS NULL) = (email_status_at IS NULL))
  constraint support_messages_mailed CHECK ((direction = 'outbound'::text) = (email_status IS NOT NULL))
  constraint support_messages_pkey PRIMARY KEY (id)
  constraint support_messages_thread FOREIGN KEY (thread_id) REFERENCES support_threads(id) ON DELETE CASCADE
  CREATE INDEX support_messages_by_status ON public.support_messages USING btree (email_status, email_status_at DESC, id DESC) WHERE (email_status IS NOT NULL)
  CREATE INDEX support_messages_by_thread ON public.support_messages USING btree (thread_id, created_at DESC, id DESC)
  CREATE INDEX support_messages_mails_open ON public.support_messages USING btree (email_status, email_status_at) WHERE (email_status = ANY (ARRAY['queued'::text, 'sending'::text, 'uncertain'::text]))
  CREATE UNIQUE INDEX support_messages_pkey ON public.support_messages USING btree (id)
  CREATE TRIGGER support_messages_may_have_arrived BEFORE UPDATE OF email_status ON support_messages FOR EACH ROW WHEN (old.email_status = 'uncertain'::text AND new.email_status <> 'uncertain'::text) EXECUTE FUNCTION note_uncertain_mail()

table support_threads
  id uuid not null
  number integer not null
  subject text not null
  nom text
  email text
  user_id uuid
  commune_id uuid
  status text not null default 'open'::text
  closed_at timestamp(3) with time zone
  unread boolean not null default true
  flag text
  messages_count integer not null default 1
  last_message_at timestamp(3) with time zone not null default now()
  said tsvector not null
  search tsvector generated as to_tsvector('simple'::regconfig, (number::text || ' '::text) || search_key((((subject || ' '::text) || COALESCE(nom, ''::text)) || ' '::text) || COALESCE(email, ''::text))) || said
  version integer not null default 1
  created_at timestamp(3) with time zone not null default now()
  updated_at timestamp(3) with time zone not null default now()
  assignee_id uuid
  constraint support_threads_assignee FOREIGN KEY (assignee_id) REFERENCES users(id)
  constraint support_threads_closed CHECK ((status = 'closed'::text) = (closed_at IS NOT NULL))
  constraint support_threads_commune FOREIGN KEY (commune_id) REFERENCES communes(id)
  constraint support_threads_flag CHECK (flag = ANY (ARRAY['red'::text, 'orange'::text, 'yellow'::text, 'green'::text, 'blue'::text, 'purple'::text]))
  constraint support_threads_has_messages CHECK (messages_count >= 1)
  constraint support_threads_number UNIQUE (number)
  constraint support_threads_pkey PRIMARY KEY (id)
  constraint support_threads_status CHECK (status = ANY (ARRAY['open'::text, 'closed'::text]))
  constraint support_threads_user FOREIGN KEY (user_id) REFERENCES users(id)
  CREATE INDEX support_threads_by_assignee ON public.support_threads USING btree (assignee_id, last_message_at DESC, id DESC)
  CREATE INDEX support_threads_by_created ON public.support_threads USING btree (created_at DESC, id DESC)
  CREATE INDEX support_threads_by_email ON public.support_threads USING btree (lower((email COLLATE "C")), last_message_at DESC, id DESC) WHERE (email IS NOT NULL)
  CREATE INDEX support_threads_by_flag ON public.support_threads USING btree (flag, last_message_at DESC, id DESC)
  CREATE INDEX support_threads_by_last_message ON public.support_threads USING btree (last_message_at DESC, id DESC)
  CREATE INDEX support_threads_by_status ON public.support_threads USING btree (status, last_message_at DESC, id DESC)
  CREATE INDEX support_threads_by_user ON public.support_threads USING btree (user_id) WHERE (user_id IS NOT NULL)
  CREATE INDEX support_threads_closed_since ON public.support_threads USING btree (closed_at) WHERE (closed_at IS NOT NULL)
  CREATE UNIQUE INDEX support_threads_number ON public.support_threads USING btree (number)
  CREATE UNIQUE INDEX support_threads_pkey ON public.support_threads USING btree (id)
  CREATE INDEX support_threads_search ON public.support_threads USING gin (search)
  CREATE INDEX support_threads_unread ON public.support_threads USING btree (last_message_at DESC, id DESC) WHERE unread
  CREATE TRIGGER support_threads_touch BEFORE UPDATE ON support_threads FOR EACH ROW EXECUTE FUNCTION touch_row('search')

table totp_factors
  user_id uuid not null
  secret bytea
  confirmed_at timestamp(3) with time zone
  pending_secret bytea
  last_step bigint not null default 0
  created_at timestamp(3) with time zone not null default now()
  constraint totp_factors_confirmed CHECK ((secret IS NULL) = (confirmed_at IS NULL))
  constraint totp_factors_pkey PRIMARY KEY (user_id)
  constraint totp_factors_user FOREIGN KEY (user_id) REFERENCES users(id)
  CREATE UNIQUE INDEX totp_factors_pkey ON public.totp_factors USING btree (user_id)
  CREATE TRIGGER totp_factors_told AFTER DELETE OR UPDATE OF confirmed_at OR TRUNCATE ON totp_factors FOR EACH STATEMENT EXECUTE FUNCTION tell_change()

table used_oidc_states
  state_hash bytea not null
  expires_at timestamp(3) with time zone not null
  constraint used_oidc_states_digest CHECK (length(state_hash) = 32)
  constraint used_oidc_states_pkey PRIMARY KEY (state_hash)
  CREATE INDEX used_oidc_states_by_expiry ON public.used_oidc_states USING btree (expires_at)
  CREATE UNIQUE INDEX used_oidc_states_pkey ON public.used_oidc_states USING btree (state_hash)

table used_passkey_challenges
  challenge text not null
  expires_at timestamp(3) with time zone not null
  constraint used_passkey_challenges_pkey PRIMARY KEY (challenge)
  CREATE INDEX used_passkey_challenges_by_expiry ON public.used_passkey_challenges USING btree (expires_at)
  CREATE UNIQUE INDEX used_passkey_challenges_pkey ON public.used_passkey_challenges USING btree (challenge)

table user_preferences
  user_id uuid not null
  preferences jsonb not null
  updated_at timestamp(3) with time zone not null default now()
  constraint user_preferences_pkey PRIMARY KEY (user_id)
  constraint user_preferences_size CHECK (octet_length(preferences::text) <= 20000)
  constraint user_preferences_user FOREIGN KEY (user_id) REFERENCES users(id)
  CREATE UNIQUE INDEX user_preferences_pkey ON public.user_preferences USING btree (user_id)

table user_roles
  user_id uuid not null
  role text not null
  created_at timestamp(3) with time zone not null default now()
  constraint user_roles_last_admin TRIGGER
  constraint user_roles_pkey PRIMARY KEY (user_id, role)
  constraint user_roles_role CHECK (role = ANY (ARRAY['admin'::text, 'platform_admin'::text, 'moderator'::text, 'support'::text]))
  constraint user_roles_user FOREIGN KEY (user_id) REFERENCES users(id)
  CREATE INDEX user_roles_by_role ON public.user_roles USING btree (role, user_id)
  CREATE UNIQUE INDEX user_roles_pkey ON public.user_roles USING btree (user_id, role)
  CREATE CONSTRAINT TRIGGER user_roles_last_admin AFTER DELETE OR UPDATE ON user_roles NOT DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN (old.role = 'admin'::text) EXECUTE FUNCTION keep_last_admin()
  CREATE TRIGGER user_roles_told AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON user_roles FOR EACH STATEMENT EXECUTE FUNCTION tell_change()

table users
  id uuid not null
  issuer text
  subject text
  email text
  nom text
  actif boolean not null default true
  tokens_valid_from timestamp(3) with time zone
  last_seen_at timestamp(3) with time zone
  version integer not null default 1
  created_at timestamp(3) with time zone not null default now()
  updated_at timestamp(3) with time zone not null default now()
  search_text text generated as ' '::text || search_key((COALESCE(nom, ''::text) || ' '::text) || COALESCE(email, ''::text))
  email_verified boolean not null default false
  erased_at timestamp(3) with time zone
  langue text not null default 'fr'::text
  constraint users_email_verified CHECK (NOT email_verified OR email IS NOT NULL AND issuer IS NOT NULL)
  constraint users_erased_whole CHECK (erased_at IS NULL OR num_nonnulls(issuer, subject, email, nom, last_seen_at) = 0 AND NOT actif)
  constraint users_identity_key UNIQUE (issuer, subject)
  constraint users_identity_whole CHECK ((issuer IS NULL) = (subject IS NULL))
  constraint users_known CHECK (issuer IS NOT NULL OR email IS NOT NULL OR erased_at IS NOT NULL)
  constraint users_langue CHECK (langue = ANY (ARRAY['fr'::text, 'en'::text]))
  constraint users_last_admin TRIGGER
  constraint users_pkey PRIMARY KEY (id)
  CREATE INDEX users_active ON public.users USING btree (actif) WHERE actif
  CREATE INDEX users_by_created ON public.users USING btree (created_at, id)
  CREATE INDEX users_by_email ON public.users USING btree (lower((email COLLATE "C")), id)
  CREATE INDEX users_by_email_downwards ON public.users USING btree (lower((email COLLATE "C")) DESC NULLS LAST, id DESC)
  CREATE INDEX users_by_last_seen ON public.users USING btree (last_seen_at DESC NULLS LAST, id DESC)
  CREATE INDEX users_by_last_seen_upwards ON public.users USING btree (last_seen_at, id)
  CREATE INDEX users_by_name ON public.users USING btree (search_key(nom) COLLATE "C", id)
  CREATE INDEX users_by_name_downwards ON public.users USING btree (search_key(nom) COLLATE "C" DESC NULLS LAST, id DESC)
  CREATE INDEX users_disabled ON public.users USING btree (id) WHERE (NOT actif)
  CREATE UNIQUE INDEX users_identity_key ON public.users USING btree (issuer, subject)
  CREATE INDEX users_never_seen ON public.users USING btree (id) WHERE ((last_seen_at IS NULL) AND ((issuer IS NULL) OR (issuer = 'parvis'::text)))
  CREATE UNIQUE INDEX users_pkey ON public.users USING btree (id)
  CREATE INDEX users_search ON public.users USING gin (search_text gin_trgm_ops)
  CREATE UNIQUE INDEX users_unbound_email_key ON public.users USING btree (lower((email COLLATE "C"))) WHERE (issuer IS NULL)
  CREATE CONSTRAINT TRIGGER users_last_admin AFTER UPDATE OF actif ON users NOT DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN (old.actif AND NOT new.actif) EXECUTE FUNCTION keep_last_admin()
  CREATE TRIGGER users_told AFTER DELETE OR UPDATE OF actif, issuer, subject, erased_at, tokens_valid_from OR TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION tell_change()
  CREATE TRIGGER users_touch BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION touch_row('last_seen_at', 'search_text')

table wal_timeline
  id uuid not null default gen_random_uuid()
  system_identifier bigint not null
  timeline text not null
  is_only boolean not null default true
  constraint wal_timeline_is_only CHECK (is_only)
  constraint wal_timeline_pkey PRIMARY KEY (is_only)
  CREATE UNIQUE INDEX wal_timeline_pkey ON public.wal_timeline USING btree (is_only)

view listed_publications
 SELECT listed.commune_id,
    listed.publication_id,
    listed.publie_le,
    listed.acteur_id,
    listed.type_id,
    listed.featured_until,
    listed.epingle,
    listed.date_debut,
    listed.date_fin
   FROM publications p
     LEFT JOIN acteurs a ON a.id = p.acteur_id
     CROSS JOIN LATERAL ( SELECT '00000000-0000-0000-0000-000000000000'::uuid AS commune_id
        UNION ALL
         SELECT pc.commune_id
           FROM publication_communes pc
          WHERE pc.publication_id = p.id) place
     CROSS JOIN LATERAL listing_of(p.*, place.commune_id) listed(commune_id, publication_id, publie_le, acteur_id, type_id, featured_until, epingle, date_debut, date_fin)
  WHERE is_listed(p.*, a.*) AND p.publie_le IS NOT NULL;

CREATE OR REPLACE FUNCTION public.acteur_to_write_for(asked uuid)
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
declare
  other uuid;
begin
  select merged_into into other from acteurs where id = asked for key share;
  return coalesce(other, asked);
end
$function$


CREATE OR REPLACE FUNCTION public.begin_publication_changes()
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
begin
  -- The upper half of the key is ours, the lower half the second.
  perform pg_advisory_xact_lock_shared(
    (20260038::bigint << 32) + least(floor(extract(epoch from clock_timestamp())), 4294967295)::bigint);
  -- After the lock, so that a reader that did not see it has looked before this time.
  return clock_timestamp();
end
$function$


CREATE OR REPLACE FUNCTION public.check_seal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.number <> coalesce((select max(number) from public.audit_seals where number <> new.number), 0) + 1 then
    raise exception 'a seal takes the next number' using errcode = 'check_violation';
  end if;
  if new.last_seq > coalesce((select max(seq) from public.audit_log), 0) then
    raise exception 'a seal ends within the audit log' using errcode = 'check_violation';
  end if;
  return null;
end
$function$


CREATE OR REPLACE FUNCTION public.commune_search_text(nom text, codes_postaux text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (((' '::text || search_key(nom)) || ' '::text) || array_to_string(codes_postaux, ' '::text))


CREATE OR REPLACE FUNCTION public.count_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.version := old.version + 1;
  new.updated_at := now();
  return new;
end
$function$


CREATE OR REPLACE FUNCTION public.count_duplicate_groups(keys text[])
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  if keys = '{}' then return; end if;
  -- The number of locks is limited: a change of a whole country takes one for all keys.
  if cardinality(keys) > 1000 then
    perform pg_advisory_xact_lock(20260230);
  else
    perform pg_advisory_xact_lock_shared(20260230);
    perform pg_advisory_xact_lock(20260230, hash) from (
      select distinct hashtext(key) as hash from unnest(keys) key order by hash) locks;
  end if;
  with counted as materialized (
    select duplicate_key, count(*)::integer as members from publications
    where duplicate_key = any(keys) and deleted_at is null group by duplicate_key having count(*) > 1),
  written as (
    insert into duplicate_groups as g (duplicate_key, members) select duplicate_key, members from counted
    on conflict (duplicate_key) do update set members = excluded.members where g.members <> excluded.members)
  delete from duplicate_groups
  where duplicate_key = any(keys) and duplicate_key not in (select duplicate_key from counted);
end
$function$


CREATE OR REPLACE FUNCTION public.count_on_map()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  step integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into defibrillateur_map_cells as cells
  select floor((longitude + 180) / 360 * 4096), floor((latitude + 90) / 252 * 4096), statut_admin_france,
    coalesce(etat_fonctionnement, ''), absent_depuis is not null, step * count(*),
    step * sum(round(longitude * 1000000)::bigint), step * sum(round(latitude * 1000000)::bigint)
  from devices where longitude is not null
  group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict on constraint defibrillateur_map_cells_pkey do update set n = cells.n + excluded.n,
    longitudes = cells.longitudes + excluded.longitudes, latitudes = cells.latitudes + excluded.latitudes;
  return null;
end
$function$


CREATE OR REPLACE FUNCTION public.empty_publication_lists()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform rebuild_publication_lists();
  perform pg_notify('parvis_changes', tag) from unnest(array['publications', 'publications*']) tag;
  return null;
end
$function$


CREATE OR REPLACE FUNCTION public.find_commune_gaps(ids uuid[])
 RETURNS TABLE(commune_id uuid, gaps smallint)
 LANGUAGE sql
 STABLE
AS $function$
  select c.id, (
    case when exists (select from elus e where e.commune_id = c.id) then 0 else 1 end
    + case when exists (select from collectes k where k.commune_id = c.id) then 0 else 2 end
    + case when (
        select bool_and(has_text(contact.value) or exists (
          select from commune_infos i
          where i.commune_id = c.id and i.cle = contact.cle and has_text(i.valeur)))
        from (values ('adresse', mairie.adresse), ('telephone', mairie.telephone), ('email', mairie.email),
          ('site_web', mairie.site_web)) contact (cle, value)) then 0 else 4 end
    + case when mairie.id is null then 8 else 0 end)::smallint
  from communes c
  left join acteurs mairie on mairie.id = c.mairie_actor_id and mairie.active and mairie.deleted_at is null
  where c.id = any(ids)
$function$


CREATE OR REPLACE FUNCTION public.follow_merge()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.acteur_id := acteur_to_write_for(new.acteur_id);
  return new;
end
$function$


CREATE OR REPLACE FUNCTION public.follow_merge_of_mairie()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.mairie_actor_id := acteur_to_write_for(new.mairie_actor_id);
  return new;
end
$function$


CREATE OR REPLACE FUNCTION public.follow_merge_of_note()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.record_id := acteur_to_write_for(new.record_id);
  return new;
end
$function$


CREATE OR REPLACE FUNCTION public.follow_merges_of_subscription()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.acteur_id := acteur_to_write_for(new.acteur_id);
  new.acteur_set := acteur_to_write_for(new.acteur_set);
  new.acteur_said := acteur_to_write_for(new.acteur_said);
  new.acteur_of_checkout := acteur_to_write_for(new.acteur_of_checkout);
  return new;
end
$function$


CREATE OR REPLACE FUNCTION public.gather_listing_counts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  with held as materialized (
    select c.ctid from (select distinct list, key from added) lists join listing_counts c using (list, key)
    for update of c skip locked),
  gone as (delete from listing_counts where ctid = any(array(select ctid from held)) returning list, key, type_id, n)
  insert into listing_counts (list, key, type_id, n)
  select list, key, type_id, sum(n) from gone group by list, key, type_id having sum(n) <> 0;
  return null;
end
$function$


CREATE OR REPLACE FUNCTION public.gather_publication_counts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  with held as materialized (
    select c.ctid from (select distinct list, key from added) lists join publication_counts c using (list, key)
    for update of c skip locked),
  gone as (
    delete from publication_counts where ctid = any(array(select ctid from held))
    returning list, key, type_id, moderation_status, valide, deleted, n)
  insert into publication_counts (list, key, type_id, moderation_status, valide, deleted, n)
  select list, key, type_id, moderation_status, valide, deleted, sum(n) from gone
  group by 1, 2, 3, 4, 5, 6 having sum(n) <> 0;
  return null;
end
$function$


CREATE OR REPLACE FUNCTION public.globe_point(latitude double precision, longitude double precision)
 RETURNS cube
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN cube(ARRAY[(((6371008.8)::double precision * cos(radians(latitude))) * cos(radians(longitude))), (((6371008.8)::double precision * cos(radians(latitude))) * sin(radians(longitude))), ((6371008.8)::double precision * sin(radians(latitude)))])


CREATE OR REPLACE FUNCTION public.has_text(value text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(btrim(value,
    U&' \0009\000A\000B\000C\000D\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000\FEFF')
    <> '', false)
$function$


CREATE OR REPLACE FUNCTION public.is_listed(p publications, a acteurs)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((p).valide AND ((p).deleted_at IS NULL) AND ((p).moderation_status = ANY (ARRAY['approved'::text, 'published'::text])) AND (((p).acteur_id IS NULL) OR ((a).active AND ((a).deleted_at IS NULL))))


CREATE OR REPLACE FUNCTION public.keep_commune_gaps(ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into commune_gaps (commune_id) select id from communes where id = any(ids) order by id on conflict do nothing;
  perform from commune_gaps g where g.commune_id = any(ids) order by g.commune_id for no key update;
  update commune_gaps g set gaps = found.gaps from find_commune_gaps(ids) found
  where g.commune_id = found.commune_id and g.gaps <> found.gaps;
end
$function$


CREATE OR REPLACE FUNCTION public.keep_commune_lists()
 RETURNS trigger
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  step integer := case tg_op when 'INSERT' then 1 else -1 end;
  changed uuid[] := array(select distinct publication_id from rows);
  others uuid[];
begin
  perform from publications where id = any(changed) order by id for no key update;
  insert into publication_counts (list, key, moderation_status, valide, deleted, n)
  select 'commune', rows.commune_id, p.moderation_status, p.valide, p.deleted_at is not null, step * count(*)
  from rows join publications p on p.id = rows.publication_id
  group by 2, 3, 4, 5;
  select array_agg(rows.publication_id), array_agg(rows.commune_id) || array_agg(p.acteur_id) into changed, others
  from rows left join publications p on p.id = rows.publication_id
  where tg_op = 'DELETE' or (p.valide and p.deleted_at is null and p.publie_le is not null and not exists (
    select from publication_listings l
    where l.publication_id = rows.publication_id and l.commune_id = rows.commune_id));
  if changed is not null then
    perform relist_publications(changed);
    perform notify_publications(changed, others);
  end if;
  return null;
end
$function$


CREATE OR REPLACE FUNCTION public.keep_gaps_of_communes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  ids uuid[];
begin
  if tg_op = 'INSERT' then
    ids := array(select id from rows);
  else
    ids := array(select id from rows join rows_before using (id)
      where rows.mairie_actor_id is distinct from rows_before.mairie_actor_id);
  end if;
  if ids = '{}' then return null; end if;
  perform keep_commune_gaps(ids);
  return null;
end
$function$


CREATE OR REPLACE FUNCTION public.keep_gaps_of_mairie()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform keep_commune_gaps(array(select id from communes where mairie_actor_id = new.id));
  return null;
end
$function$


CREATE OR REPLACE FUNCTION public.keep_gaps_of_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform keep_commune_gaps(array[old.commune_id, new.commune_id]);
  return null;
end
$function$


CREATE OR REPLACE FUNCTION public.keep_gaps_of_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform keep_commune_gaps(array(select distinct commune_id from rows));
  return null;
end
$function$


CREATE OR REPLACE FUNCTION public.keep_last_admin()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(hashtext('parvis last admin'));
  if tg_table_name = 'users' then
    if not exists (select from user_roles where user_id = new.id and role = 'admin') then return null; end if;
  elsif not exists (select from users where id = old.user_id and actif) then
    return null;
  end if;
  if not exists (select from user_roles r join users u on u.id = r.user_id where r.role = 'admin' and u.actif) then
    raise exception 'the last admin stays' using errcode = 'check_violation', constraint = 'last_admin';
  end if;
  return null;
end
$function$


CREATE OR REPLACE FUNCTION public.keep_merge_target()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.merged_into is not null and new.merged_into is null then
    raise exception 'a merge is not undone' using errcode = 'check_violation', constraint = 'acteurs_merge_stays';
  end if;
  perform from acteurs where id = new.merged_into and merged_into is null and deleted_at is null for share;
  if not found or exists (select from acteurs where merged_into = new.id) then
    raise exception 'an acteur is merged into one that is not merged or deleted'
      using errcode = 'check_violation', constraint = 'acteurs_merge_target';
  end if;
  return new;
end
$function$


CREATE OR REPLACE FUNCTION public.keep_publication_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' or new.title <> old.title or new.body <> old.body then
    new.search := publication_search(new.title, new.body);
    new.sort_title := search_key(left(new.title, 100));
  end if;
  return new;
end
$function$


CREATE OR REPLACE FUNCTION public.keep_publications()
 RETURNS trigger
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  seen uuid[];
  moved uuid[];
  acteur_ids uuid[];
  present_time timestamptz;
begin
  if tg_op = 'UPDATE' then
    perform count_duplicate_groups(array(
      select key from old_rows o full join new_rows n using (id)
      cross join lateral (values (o.duplicate_key, o.deleted_at), (n.duplicate_key, n.deleted_at)) state (key, deleted_at)
      where (o.duplicate_key, o.deleted_at is null) is distinct from (n.duplicate_key, n.deleted_at is null)
        and state.deleted_at is null and key is not null));
    insert into publication_counts (list, key, type_id, moderation_status, valide, deleted, n)
    select list, key, case list when 'all' then state.type_id end, state.moderation_status, state.valide, state.deleted,
      sum(state.n)
    from old_rows o full join new_rows n using (id)
    cross join lateral (
      select '00000000-0000-0000-0000-000000000000'::uuid as commune_id
      union all
      select pc.commune_id from publication_communes pc where pc.publication_id = id) place
    cross join lateral (values
      (1, n.acteur_id, n.type_id, n.moderation_status, n.valide, n.deleted_at is not null),
      (-1, o.acteur_id, o.type_id, o.moderation_status, o.valide, o.deleted_at is not null)
      ) state (n, acteur_id, type_id, moderation_status, valide, deleted)
    cross join lateral lists_of(place.commune_id, state.acteur_id)
    where (o.acteur_id, o.type_id, o.moderation_status, o.valide, o.deleted_at is null)
        is distinct from (n.acteur_id, n.type_id, n.moderation_status, n.valide, n.deleted_at is null)
      and state.valide is not null
    group by 1, 2, 3, 4, 5, 6 having sum(state.n) <> 0;
    select array_agg(id), array_agg(o.acteur_id) || array_agg(n.acteur_id),
      coalesce(array_agg(id) filter (where
        (o.valide, o.moderation_status, o.deleted_at, o.publie_le, o.acteur_id, o.type_id, o.en_avant,
          o.featured_until, o.epingle, o.date_debut, o.date_fin)
        is distinct from (n.valide, n.moderation_status, n.deleted_at, n.publie_le, n.acteur_id, n.type_id, n.en_avant,
          n.featured_until, n.epingle, n.date_debut, n.date_fin)), '{}')
    into seen, acteur_ids, moved
    from old_rows o full join new_rows n using (id)
    where o.version is distinct from n.version
      and ((o.valide and o.deleted_at is null and o.publie_le is not null)
        or (n.valide and n.deleted_at is null and n.publie_le is not null));
  elsif tg_op = 'INSERT' then
    perform count_duplicate_groups(array(select duplicate_key from new_rows where deleted_at is null));
    insert into publication_counts (list, key, type_id, moderation_status, valide, deleted, n)
    select list, key, case list when 'all' then type_id end, moderation_status, valide, deleted_at is not null, count(*)
    from new_rows cross join lateral lists_of('00000000-0000-0000-0000-000000000000', acteur_id)
    group by 1, 2, 3, 4, 5, 6;
    select array_agg(id), array_agg(acteur_id), array_agg(id) into seen, acteur_ids, moved
    from new_rows where valide and deleted_at is null and publie_le is not null;
  else
    perform count_duplicate_groups(array(select duplicate_key from old_rows where deleted_at is null));
    insert into publication_counts (list, key, type_id, moderation_status, valide, deleted, n)
    select list, key, case list when 'all' then type_id end, moderation_status, valide, deleted_at is not null, -count(*)
    from old_rows cross join lateral lists_of('00000000-0000-0000-0000-000000000000', acteur_id)
    group by 1, 2, 3, 4, 5, 6;
    select array_agg(id), array_agg(acteur_id), array_agg(id) into seen, acteur_ids, moved
    from old_rows where valide and deleted_at is null and publie_le is not null;
  end if;
  if seen is null then return null; end if;

  -- A concurrent change that hides one of these acteurs waits, or has been waited for.
  perform from acteurs where id = any(acteur_ids) order by id for share;
  if moved <> '{}' then
    perform list_again(moved);
  end if;
  if tg_op = 'UPDATE' then
    present_time := begin_publication_changes();
    insert into publication_changes (publication_id, at, communes_before, communes_after)
    select publication_id, present_time, communes, communes from (
      select publication_id,
        array_remove(array_agg(commune_id order by commune_id), '00000000-0000-0000-0000-000000000000') as communes
      from publication_listings where publie_le <= present_time and publication_id = any(seen)
      group by publication_id) visible
    on conflict on constraint publication_changes_once
      do update set at = excluded.at, communes_after = excluded.communes_after
      -- The lists noted it in this transaction, under a lock that is still held.
      where publication_changes.communes_after is distinct from excluded.communes_after;
  end if;
  perform notify_publications(seen, acteur_ids);
  return null;
end
$function$


CREATE OR REPLACE FUNCTION public.leave_communes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from publication_communes where publication_id = old.id;
  return old;
end
$function$


CREATE OR REPLACE FUNCTION public.list_again(changed uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  present_time timestamptz := begin_publication_changes();
begin
  with due as materialized (select * from listed_publications where publication_id = any(changed)),
  present as materialized (select * from publication_listings where publication_id = any(changed)),
  coming as materialized (select * from due except select * from present),
  leaving as materialized (select * from present except select * from due),
  deleted as (
    delete from publication_listings l using leaving
    where l.publication_id = leaving.publication_id and l.commune_id = leaving.commune_id and not exists (
      select from coming
      where coming.publication_id = leaving.publication_id and coming.commune_id = leaving.commune_id)),
  written as (
    insert into publication_listings (commune_id, publication_id, publie_le, acteur_id, type_id, featured_until, epingle,
      date_debut, date_fin)
    select * from coming
    on conflict (publication_id, commune_id) do update set publie_le = excluded.publie_le,
      acteur_id = excluded.acteur_id, type_id = excluded.type_id, featured_until = excluded.featured_until,
      epingle = excluded.epingle, date_debut = excluded.date_debut, date_fin = excluded.date_fin),
  -- The communes in which each was visible, and is now. The row of zeros, the whole country, is always among them.
  was as (
    select publication_id,
      array_remove(array_agg(commune_id order by commune_id), '00000000-0000-0000-0000-000000000000') as communes
    from present where publie_le <= present_time group by publication_id),
  becomes as (
    select publication_id,
      array_remove(array_agg(commune_id order by commune_id), '00000000-0000-0000-0000-000000000000') as communes
    from due where publie_le <= present_time group by publication_id),
  noted as (
    insert into publication_changes (publication_id, at, communes_before, communes_after)
    select publication_id, present_time, was.communes, becomes.communes
    from was full join becomes using (publication_id)
    where was.communes is distinct from becomes.communes
    on conflict on constraint publication_changes_once
      do update set at = excluded.at, communes_after = excluded.communes_after)
  insert into listing_counts (list, key, type_id, n)
  select list, key, case when list <> 'acteur' then type_id end, sum(n) from (
    select *, 1 as n from coming union all select *, -1 from leaving) changes
  cross join lateral lists_of(commune_id, acteur_id)
  group by 1, 2, 3 having sum(n) <> 0;

  delete from publication_changes where is_scheduled and publication_id = any(changed) and at > present_time;
  insert into publication_changes (publication_id, at, communes_after, is_scheduled)
  select publication_id, publie_le,
    array_remove(array_agg(commune_id order by commune_id), '00000000-0000-0000-0000-000000000000'), true
  from publication_listings where publication_id = any(changed) and publie_le > present_time
  group by publication_id, publie_le
  on conflict on constraint publication_changes_once
    do update set at = excluded.at, communes_after = excluded.communes_after;
end
$function$


CREATE OR REPLACE FUNCTION public.listing_of(p publications, commune_id uuid)
 RETURNS SETOF publication_listings
 LANGUAGE sql
 STABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT commune_id AS commune_id,
     (p).id AS id,
     (p).publie_le AS publie_le,
     (p).acteur_id AS acteur_id,
     (p).type_id AS type_id,
         CASE
             WHEN (p).en_avant THEN COALESCE((p).featured_until, 'infinity'::timestamp with time zone)
             ELSE NULL::timestamp with time zone
         END AS "case",
     (p).epingle AS epingle,
     (p).date_debut AS date_debut,
     (p).date_fin AS date_fin;
END


CREATE OR REPLACE FUNCTION public.lists_of(commune_id uuid, acteur_id uuid)
 RETURNS TABLE(list text, key uuid)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT 'all'::text,
     lists_of.commune_id AS commune_id
   WHERE (lists_of.commune_id = '00000000-0000-0000-0000-000000000000'::uuid)
 UNION ALL
  SELECT 'acteur'::text,
     lists_of.acteur_id AS acteur_id
   WHERE ((lists_of.commune_id = '00000000-0000-0000-0000-000000000000'::uuid) AND (lists_of.acteur_id IS NOT NULL))
 UNION ALL
  SELECT 'commune'::text,
     lists_of.commune_id AS commune_id
   WHERE (lists_of.commune_id <> '00000000-0000-0000-0000-000000000000'::uuid);
END


CREATE OR REPLACE FUNCTION public.lock_mairie()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' or new.mairie_actor_id is distinct from old.mairie_actor_id then
    perform from acteurs
    where id in (new.mairie_actor_id, (select merged_into from acteurs where id = new.mairie_actor_id))
    order by id for share;
  end if;
  return new;
end
$function$


CREATE OR REPLACE FUNCTION public.note_uncertain_mail()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.may_have_arrived := true;
  return new;
end $function$


CREATE OR REPLACE FUNCTION public.notify_publications(changed uuid[], others uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  named uuid[] := array(
    select id from unnest(changed || others) id where id is not null
    union select commune_id from publication_communes where publication_id = any(changed)
    limit 51);
begin
  perform pg_notify('parvis_changes', 'publications');
  if cardinality(named) > 50 then
    perform pg_notify('parvis_changes', 'publications*');
  else
    perform pg_notify('parvis_changes', 'publications:' || id) from unnest(named) id;
  end if;
end
$function$


CREATE OR REPLACE FUNCTION public.plain_words(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN regexp_replace(lower(unaccent('unaccent'::regdictionary, NORMALIZE(value, NFKC))), '[\u0001-/:-@[-`{-©«-±´¶-¸»-¿×÷\u2000-\u2bff\u2e00-\u2e7f\u3000-\u303f\ufe00-\ufe6f\uff01-\uff0f\ufffd\U0001f000-\U0001faff]+'::text, ' '::text, 'g'::text)


CREATE OR REPLACE FUNCTION public.publication_changes_horizon()
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
declare
  -- Before the locks are looked at.
  present timestamptz := clock_timestamp();
  oldest bigint;
begin
  select min(objid::bigint) into oldest from pg_locks
  where locktype = 'advisory' and classid = 20260038 and objsubid = 1
    and database = (select oid from pg_database where datname = current_database());
  return least(present, to_timestamp(oldest));
end
$function$


CREATE OR REPLACE FUNCTION public.publication_query(asked text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
BEGIN ATOMIC
 SELECT
         CASE
             WHEN (numnode(read.last_stem) > 0) THEN (read.others && (read.last_stem || begun.beginning))
             WHEN (numnode(read.others) > 0) THEN read.others
             ELSE NULLIF(begun.beginning, ''::tsquery)
         END AS "nullif"
    FROM ( SELECT btrim(plain_words(publication_query.asked)) AS words
          OFFSET 0) cut,
     LATERAL ( SELECT "substring"(cut.words, '[^ ]*$'::text) AS last_word
          OFFSET 0) ending,
     LATERAL ( SELECT
                 CASE
                     WHEN (ending.last_word = cut.words) THEN ''::tsquery
                     ELSE plainto_tsquery('french'::regconfig, "left"(cut.words, (- char_length(ending.last_word))))
                 END AS others,
                 CASE
                     WHEN (ending.last_word = ''::text) THEN ''::tsquery
                     ELSE plainto_tsquery('french'::regconfig, ending.last_word)
                 END AS last_stem,
                 CASE
                     WHEN (ending.last_word = ''::text) THEN ''::tsquery
                     ELSE plainto_tsquery('simple'::regconfig, ending.last_word)
                 END AS as_it_is
          OFFSET 0) read,
     LATERAL ( SELECT
                 CASE
                     WHEN ((char_length(ending.last_word) >= 3) AND (numnode(read.as_it_is) > 0)) THEN (((read.as_it_is)::text || ':*'::text))::tsquery
                     ELSE read.as_it_is
                 END AS beginning
          OFFSET 0) begun;
END


CREATE OR REPLACE FUNCTION public.publication_search(title text, body text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
BEGIN ATOMIC
 SELECT strip((to_tsvector('simple'::regconfig, made.words) || to_tsvector('french'::regconfig, made.words))) AS strip
    FROM ( SELECT ((plain_words(publication_search.title) || ' '::text) || words_of_html(publication_search.body)) AS words
          OFFSET 0) made;
END


CREATE OR REPLACE FUNCTION public.rebuild_publication_lists()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  truncate publication_listings, listing_counts, publication_counts, duplicate_groups;
  insert into publication_listings (commune_id, publication_id, publie_le, acteur_id, type_id, featured_until, epingle,
    date_debut, date_fin)
  select * from listed_publications;
  insert into listing_counts (list, key, type_id, n)
  select list, key, case when list <> 'acteur' then type_id end, count(*)
  from publication_listings l cross join lateral lists_of(l.commune_id, l.acteur_id)
  group by 1, 2, 3;
  insert into publication_counts (list, key, type_id, moderation_status, valide, deleted, n)
  select list, key, case list when 'all' then type_id end, moderation_status, valide, deleted_at is not null, count(*)
  from publications p
  cross join lateral (
    select * from lists_of('00000000-0000-0000-0000-000000000000', acteur_id)
    union all
    select 'commune', pc.commune_id from publication_communes pc where pc.publication_id = p.id) lists
  group by 1, 2, 3, 4, 5, 6;
  insert into duplicate_groups (duplicate_key, members)
  select duplicate_key, count(*) from publications where deleted_at is null group by 1 having count(*) > 1;
end
$function$


CREATE OR REPLACE FUNCTION public.recount_on_map()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into defibrillateur_map_cells as cells
  select floor((longitude + 180) / 360 * 4096), floor((latitude + 90) / 252 * 4096), statut_admin_france,
    coalesce(etat_fonctionnement, ''), absent_depuis is not null, sum(step),
    sum(step * round(longitude * 1000000)::bigint), sum(step * round(latitude * 1000000)::bigint)
  from (
    select -1 as step, longitude, latitude, statut_admin_france, etat_fonctionnement, absent_depuis from old_rows
    union all
    select 1, longitude, latitude, statut_admin_france, etat_fonctionnement, absent_depuis from new_rows
  ) as changes where longitude is not null
  group by 1, 2, 3, 4, 5
  having sum(step) <> 0 or sum(step * round(longitude * 1000000)::bigint) <> 0
    or sum(step * round(latitude * 1000000)::bigint) <> 0
  order by 1, 2, 3, 4, 5
  on conflict on constraint defibrillateur_map_cells_pkey do update set n = cells.n + excluded.n,
    longitudes = cells.longitudes + excluded.longitudes, latitudes = cells.latitudes + excluded.latitudes;
  return null;
end
$function$


CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$function$


CREATE OR REPLACE FUNCTION public.relist_acteur()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform relist_publications(array(select id from publications where acteur_id = new.id));
  return null;
end
$function$


CREATE OR REPLACE FUNCTION public.relist_publications(changed uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  perform from acteurs where id in (
    select acteur_id from publications where id = any(changed)
    union select acteur_id from publication_listings where publication_id = any(changed))
  order by id for share;
  perform list_again(changed);
end
$function$


CREATE OR REPLACE FUNCTION public.search_key(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN btrim(regexp_replace(lower(unaccent('unaccent'::regdictionary, value)), '[^a-z0-9]+'::text, ' '::text, 'g'::text))


CREATE OR REPLACE FUNCTION public.stamp_audit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  new.at := clock_timestamp();
  perform pg_current_xact_id();
  new.seq := nextval('public.audit_log_seq');
  return new;
end
$function$


CREATE OR REPLACE FUNCTION public.tell_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_nargs = 0 then
    perform pg_notify('parvis_changes', tg_table_name);
  else
    perform pg_notify('parvis_changes', tag) from unnest(tg_argv) tag;
  end if;
  return null;
end
$function$


CREATE OR REPLACE FUNCTION public.touch_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  ignored text[] := coalesce(tg_argv, '{}');
begin
  if to_jsonb(new) - ignored is distinct from to_jsonb(old) - ignored then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end
$function$


CREATE OR REPLACE FUNCTION public.uuid_multirange()
 RETURNS uuid_multirange
 LANGUAGE internal
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$multirange_constructor0$function$


CREATE OR REPLACE FUNCTION public.uuid_multirange(VARIADIC uuid_range[])
 RETURNS uuid_multirange
 LANGUAGE internal
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$multirange_constructor2$function$


CREATE OR REPLACE FUNCTION public.uuid_multirange(uuid_range)
 RETURNS uuid_multirange
 LANGUAGE internal
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$multirange_constructor1$function$


CREATE OR REPLACE FUNCTION public.uuid_range(uuid, uuid)
 RETURNS uuid_range
 LANGUAGE internal
 IMMUTABLE PARALLEL SAFE
AS $function$range_constructor2$function$


CREATE OR REPLACE FUNCTION public.uuid_range(uuid, uuid, text)
 RETURNS uuid_range
 LANGUAGE internal
 IMMUTABLE PARALLEL SAFE
AS $function$range_constructor3$function$


CREATE OR REPLACE FUNCTION public.words_of_html(html text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN plain_words(regexp_replace(regexp_replace(html, '</?(?:a|b|em|i|strong|u)(?: [^>]*)?>'::text, ''::text, 'g'::text), '<[^>]*>|&(?:amp|lt|gt|quot);'::text, ' '::text, 'g'::text))

