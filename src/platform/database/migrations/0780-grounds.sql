-- The rules and laws by which moderators refuse content. Statements keep their own copy of the text.
create table grounds (
  id uuid primary key, code text not null, label text not null, text text not null, kind text not null,
  -- The article of the law, or of the rules.
  reference text,
  active boolean not null default true,
  deleted_at timestamptz(3), version integer not null default 1,
  created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now(),
  constraint grounds_kind check (kind in ('rule', 'law')),
  constraint grounds_code_form check (code ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(code) <= 50),
  constraint grounds_label_length check (char_length(label) between 1 and 100),
  constraint grounds_text_length check (char_length(text) between 1 and 2000),
  -- A decision without a ground takes it.
  constraint grounds_autre_stays check (code <> 'autre' or (active and deleted_at is null))
);
-- Bodies of decisions name a ground by its code.
create unique index grounds_code on grounds (code) where deleted_at is null;
create trigger grounds_touch before update on grounds for each row execute function touch_row();
create trigger grounds_notify after insert or update or delete or truncate on grounds
  for each statement execute function notify_change();
insert into grounds (id, code, label, kind, reference, text) values
  ('01998000-0000-7000-8000-000000000101', 'spam', 'Spam', 'rule', null, 'Le contenu est envoyé en masse, répète ce qui est déjà là ou détourne le lecteur vers autre chose.'),
  ('01998000-0000-7000-8000-000000000102', 'hors-sujet', 'Hors sujet', 'rule', null, 'Le contenu ne concerne pas la vie de la commune.'),
  ('01998000-0000-7000-8000-000000000103', 'doublon', 'Doublon', 'rule', null, 'La même annonce existe déjà.'),
  ('01998000-0000-7000-8000-000000000104', 'date', 'Erreur de date ou de lieu', 'rule', null, 'La date, l’heure ou le lieu manque ou ne peut pas être exact.'),
  ('01998000-0000-7000-8000-000000000105', 'publicite', 'Publicité', 'rule', null, 'Le contenu vend un produit ou un service au lieu d’informer les habitants.'),
  ('01998000-0000-7000-8000-000000000106', 'langue', 'Incompréhensible', 'rule', null, 'Le texte n’est pas en français, ou ne se comprend pas.'),
  ('01998000-0000-7000-8000-000000000107', 'donnees', 'Données personnelles', 'law', 'Règlement (UE) 2016/679, article 6 ; code civil, article 9', 'Le contenu nomme, montre ou décrit une personne sans son accord.'),
  ('01998000-0000-7000-8000-000000000108', 'haine', 'Haine ou injure', 'law', 'Loi du 29 juillet 1881, articles 24, 32 et 33', 'Le contenu injurie, diffame, ou appelle à la haine ou à la discrimination.'),
  ('01998000-0000-7000-8000-000000000109', 'nudite', 'Nudité', 'rule', null, 'Le contenu montre ou décrit ce qui ne convient pas à tous les âges.'),
  ('01998000-0000-7000-8000-000000000110', 'danger', 'Dangereux', 'rule', null, 'Suivre le contenu mettrait quelqu’un en danger.'),
  ('01998000-0000-7000-8000-000000000111', 'usurpation', 'Usurpation', 'law', 'Code pénal, article 226-4-1', 'Le contenu se fait passer pour celui d’une autre personne ou organisation.'),
  ('01998000-0000-7000-8000-000000000112', 'illegal', 'Illégal : autre', 'law', null, 'Le contenu est contraire à une loi.'),
  ('01998000-0000-7000-8000-000000000113', 'autre', 'Autre', 'rule', null, 'Le contenu enfreint les règles du site.');

-- The ground that a template of a rejection explains, by its code.
alter table reply_templates add column ground text;
