/** What a town hall tells its people. `demo-textes.ts` explains the form. */
export const mairieTextes = `
travaux -4 pour 24 | {rue} : on refait les trottoirs
Depuis le {jour}, l’entreprise reprend les trottoirs {rue}, côté pair d’abord, côté impair ensuite. La rue reste ouverte aux riverains, aux livraisons avant 10 h et aux vélos.
Fin prévue le {fin}, si la pluie nous laisse tranquilles. Renseignements : {tel}.

travaux +6 lundi | Coupure d’eau {rue} lundi prochain
Le {jour}, l’eau sera coupée de 8 h à midi {rue}, pour remplacer une vanne qui date de l’autre siècle.
- Faites une réserve la veille au soir.
- Fermez bien les robinets avant de partir.
- L’eau peut sortir un peu trouble à la reprise : laissez-la couler deux minutes.

travaux +15 lundi pour 11 | Enrobé neuf {rue} : circulation de nuit
Du {jour} au {fin}, la chaussée est reprise de 21 h à 5 h {rue}. De jour, rien ne change. Les engins font du bruit, les équipes font vite.

alerte -1 pour 3 | Vent fort : restez prudents
On annonce des rafales à 90 km/h jusqu’au {fin}. Les parcs et le cimetière sont fermés, le marché est maintenu sous réserve.
- Rentrez les pots, les parasols et le linge.
- Évitez de vous promener {nature}.
- Un arbre sur la chaussée ? Appelez le 112.

alerte -9 pour 2 [after] | Eau du robinet : levée de la restriction
Les analyses du {jour} sont bonnes : l’eau se boit à nouveau dans toute la commune. Merci aux agents qui ont porté les packs d’eau aux personnes âgées {du_quartier}.

alerte +2 pour 30 | Moustiques : videz les eaux dormantes
Une soucoupe oubliée, et c’est toute la rue qui se gratte. À partir du {jour}, des agents passent dans les jardins {du_quartier}, avec votre accord, pour repérer les gîtes.

actualite | Le conseil municipal en cinq points
Le conseil s’est réuni {salle}, devant une salle pleine pour une fois.
- Budget supplémentaire adopté à l’unanimité moins une voix.
- Cantine : le prix du repas ne bouge pas cette année.
- Voirie : {rue} sera reprise avant la fin du mandat.
- Subvention renouvelée à la bibliothèque et au club des aînés.
- Une motion de soutien au bureau de poste.

actualite | {maire} répond à vos questions
« On me demande souvent pourquoi les lampadaires s’éteignent à minuit. Parce que la facture a baissé d’un tiers, et que les chauves-souris sont revenues », explique {maire}, maire {de_commune}.
Prochaine permanence sans rendez-vous : samedi matin en mairie, de 9 h à 11 h 30.

actualite | Bienvenue aux nouveaux habitants
Vous venez d’emménager {a_commune} ? Passez à l’accueil avec un justificatif : on vous remet un plan, le calendrier des collectes et un bon pour une visite guidée.
Le pot d’accueil a lieu une fois par trimestre, et l’on y mange très bien : {plat} au dernier.

actualite | Trois ruches sur le toit de la mairie
Elles sont arrivées mardi, à l’aube, dans la camionnette d’un apiculteur du pays. Le premier miel sera servi au repas des aînés, le second vendu au profit du CCAS.

actualite | Déchets sauvages : quarante sacs en une matinée
Trente-deux habitants ont ramassé {nature} quarante sacs, une trottinette, et un aspirateur qui marche encore. Merci à eux.

evenement +9 samedi | Marché de producteurs en nocturne
Le {jour}, de 17 h à 22 h, quinze producteurs s’installent {place}. On mange sur place : {plat}. Apportez vos couverts et votre gourde.
En cas de pluie, repli {salle}.

evenement +20 dimanche | Journée sans voiture
Le {jour} de 9 h à 18 h, le centre est rendu aux piétons, aux vélos et aux patins à roulettes. Contrôle technique gratuit des vélos {place}, tours en calèche pour les petits.
Les riverains peuvent sortir leur voiture jusqu’à 8 h 30, et la rentrer après 18 h.

evenement +13 jeudi | Réunion publique : quel avenir {rue} ?
Sens unique ou double sens, arbres ou places de stationnement : les trois esquisses sont affichées en mairie. Venez en parler le {jour} à 19 h {salle}.
Les enfants sont les bienvenus, une animatrice les garde.

evenement +27 mercredi | Don de sang
L’Établissement français du sang s’installe {salle} le {jour}, de 15 h à 19 h 30. Ne venez pas à jeun ; la collation d’après est signée par les bénévoles.

evenement -16 dimanche | Commémoration et dépôt de gerbe
Rassemblement le {jour} à 11 h au monument aux morts, en présence des enfants des écoles qui liront des lettres de poilus. Verre de l’amitié {salle}.

evenement +34 samedi pour 1 | Forum des associations
Plus de quarante associations vous attendent {salle}, les {jour} et {fin}, de 10 h à 18 h. Démonstrations, inscriptions, et buvette tenue par les parents d’élèves.

annonce | La mairie recrute un agent technique
Contrat à temps plein, à pourvoir dès que possible. Entretien des bâtiments, petite mécanique, décorations des fêtes : le permis B est indispensable, le sens de l’humour conseillé.
Candidatures à {email}, avec une lettre écrite par vous et non par un robot.

annonce +25 | Inscriptions à la cantine : avant le {jour}
Le dossier se retire à l’accueil ou se remplit en ligne. Pensez à l’attestation d’assurance et, pour les allergies, au projet d’accueil signé du médecin.

annonce | Trouvé {place} : un doudou lapin
Gris, une oreille plus courte que l’autre, très aimé visiblement. Il attend à l’accueil, assis sur le photocopieur.

annonce +40 | Concours des balcons et jardins
Ouvert à toutes et tous, du pot de basilic au grand jardin. Bulletin à déposer avant le {jour}. Le jury passe à l’improviste : ne sortez pas les nains.

annonce | Objets encombrants : le passage sur rendez-vous
Un canapé, un frigo ? Inscrivez-vous avant le jeudi ({tel}), et sortez-les la veille au soir seulement. Ce qui traîne sur le trottoir sans rendez-vous n’est pas ramassé.

actualite | Un nouveau souffle pour le marché
Deux maraîchers, une fromagère et un rémouleur rejoignent les étals {place}. Le camion-cuisine ({plat}) garde sa place, malgré les rumeurs.

travaux -20 pour 60 | École : les fenêtres changent pendant les vacances
Double vitrage côté cour depuis le {jour}, isolation du préau ensuite. Les classes retrouvent leurs murs le {fin}, et devraient économiser un quart de leur chauffage.

actualite | La navette du marché ne désemplit pas
Huit places, un chauffeur qui connaît tout le monde, et deux passages chaque matin de marché. Elle s’arrête désormais aussi {rue}, à la demande des riverains.

annonce +18 | Enquête : dites-nous comment vous vous déplacez
Dix questions, quatre minutes, aucune publicité. Les réponses anonymes sont reçues jusqu’au {jour}, en ligne ou dans l’urne de l’accueil. Le résultat sera débattu {salle}.

evenement +23 vendredi | Cinéma en plein air
Le {jour} à la tombée du jour, {place}. Le film a été choisi par les enfants du conseil municipal des jeunes, après un débat plus long que le nôtre. Repli {salle} s’il pleut.

alerte -14 pour 6 [after] | Faux agents recenseurs : soyez vigilants
Le {jour}, deux personnes se disant envoyées par la mairie ont fait du porte-à-porte {rue}. Nos agents ont tous une carte tricolore : demandez-la. Au moindre doute, appelez le 17.
`
