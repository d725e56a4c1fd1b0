-- A decision may give no reason: the texts of these grounds must be true without one.
update grounds set text = 'Le contenu enfreint les règles du site.'
where code = 'autre' and text = 'Le contenu enfreint les règles du site pour la raison que la décision indique.';
update grounds set text = 'Le contenu est contraire à une loi.'
where code = 'illegal' and text = 'Le contenu est contraire à une loi, que la décision indique.';
update statements set ground = jsonb_set(ground, '{text}', '"Le contenu enfreint les règles du site."')
where reason is null and ground->>'text' = 'Le contenu enfreint les règles du site pour la raison que la décision indique.';
