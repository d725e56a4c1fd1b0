export type DemoClaim = {
  status: string
  /** How long ago it was made. */
  days: number
  /** What became of the mail that told of the decision. */
  mail: string | null
  /** The acteur's. */
  slug: string
  nom: string | null
  email: string | null
  telephone: string | null
  message: string
  reason: string | null
}

/** `status days mail slug | name | e-mail | telephone | message | reason`; a dash stands for nothing. */
function parse(line: string): DemoClaim {
  const [head = '', nom = '', email = '', telephone = '', message = '', reason = '-'] = line.split(' | ')
  const [status = '', days = '', mail = '', slug = ''] = head.split(' ')
  return {
    status,
    days: Number(days),
    mail: given(mail),
    slug,
    nom: given(nom),
    email: given(email),
    telephone: given(telephone),
    message,
    reason: given(reason),
  }
}

const given = (text: string) => (text === '-' ? null : text)

const lines = `
pending 1 - boule-des-accoules-13055 | Titin Escartefigue-Roux | titin.escartefigue@example.org | 06 39 98 41 07 | Bonjour, je suis trésorier depuis l’assemblée générale de septembre. Le nouveau bureau voudrait annoncer les concours lui-même, avant que l’ombre n’atteigne le terrain.
pending 2 - librairie-des-elephants-73065 | Aurélie Grumel | aurelie.grumel@example.org | 04 65 71 20 16 | J’ai repris la librairie de mon oncle au printemps. La page parle encore de ses horaires à lui, et il ouvrait quand il voulait.
pending 3 - fournil-saint-michel-35238 | Gwendal Le Floc’h | gwendal.lefloch@example.org | - | Le fournil, c’est moi et ma pelle. Je peux envoyer un Kbis, une photo de la vitrine ou un kouign-amann, au choix.
pending 6 - creperie-du-passeur-85194 | Nolwenn Chaigneau | nolwenn.chaigneau@example.org | 02 61 91 33 08 | Nous venons d’ouvrir à La Chaume ! Pourrions-nous corriger le téléphone ? Celui de la page sonne chez un plombier très patient.
pending 9 - ecole-sainte-madeleine-67482 | Mathilde Oberlé | mathilde.oberle@example.org | 03 53 01 12 45 | Directrice de l’école depuis la rentrée, je souhaite publier les portes ouvertes et la fête de la Saint-Nicolas.
pending 14 - sentier-nietzsche-vivant-06059 | - | - | - | On débroussaille tous les samedis, on aimerait pouvoir le dire ici. Passez nous voir en haut du sentier, on n’a pas Internet.
pending 22 - mairie-deleguee-de-noailhac-12218 | Gilberte Cayrouse | gilberte.cayrouse@example.org | 05 36 49 18 80 | Secrétaire de la mairie déléguée, je tiens la permanence du jeudi. Monsieur le maire délégué est d’accord, il est juste à côté de moi.
approved 40 sent les-croqueurs-de-pommes-de-la-leysse-73065 | Jean-Baptiste Reinette | jb.reinette@example.org | 06 39 98 12 70 | Président des Croqueurs depuis onze ans. Cent vingt variétés au verger, et toujours pas moyen d’annoncer le pressage !
approved 55 sent phares-et-moutons-d-ouessant-29155 | Maï Malgorn | mai.malgorn@example.org | 06 39 98 29 15 | Je garde les moutons et la boîte mail de l’association. La foire approche, il nous faudrait la page.
approved 70 uncertain cooperative-du-beaufort-d-alpage-73054 | Rémi Blanc-Gonnet | remi.blancgonnet@example.org | 04 65 71 54 32 | Responsable de la boutique de la coopérative. Les visites de la cave changent d’heure avec les vaches, on aimerait prévenir.
approved 95 sent la-machine-a-dire-33063 | Salomé Lestrade | salome.lestrade@example.org | - | Libraire, gérante, et seule à savoir où est la clé. Les lectures du soir manquent cruellement d’affiches.
approved 130 failed y-sport-la-plus-courte-des-equipes-80829 | Kévin Pruvost-Leroy | kevin.pruvost@example.org | 06 39 98 80 82 | Capitaine, gardien et secrétaire, nous sommes sept. Le match retour contre Œuilly mérite une annonce.
rejected 25 sent champagne-charlier-hautecoeur-51410 | Éloi Bulleux | eloi.bulleux@example.org | - | Grand amateur de votre région, je propose de gérer la page de cette maison contre quelques caisses. | Cette page revient à la maison elle-même, qui ne vous connaît pas. Merci tout de même de votre enthousiasme.
rejected 33 sent winstub-zum-storch-68277 | Agence Clic & Choucroute | contact.clicchoucroute@example.org | 03 53 01 77 77 | Nous optimisons la présence en ligne de plus de trois mille restaurants. Donnez-nous l’accès, nous nous occupons de tout. | Nous n’ouvrons une page qu’à l’établissement. Si le restaurant vous a confié sa communication, demandez-lui de nous écrire.
rejected 48 failed comite-palmistes-en-fete-97302 | Wilfried Horth | wilfried.horth@example.org | - | C’est moi qui mets la musique au marché de nuit, tout le monde me connaît, demandez. | Nous avons demandé : le comité souhaite garder la page, et vous salue.
rejected 60 - calanques-propres-13055 | - | - | 06 39 98 13 01 | Votre association a ramassé ma serviette, je voudrais la récupérer. | Ceci n’est pas une demande pour tenir la page ; écrivez directement à l’association.
expired 38 - arche-des-fetes-insulaires-97502 | Koldo Etcheverry | koldo.etcheverry@example.org | 05 36 49 41 52 | Je suis de la fête depuis 1982, et je voudrais publier le programme de l’été. Réponse souhaitée avant le brouillard.
expired 52 - fanfare-des-recollets-75056 | Blandine Sacquebute | blandine.sacquebute@example.org | - | On répète le mardi, trop fort il paraît. Au moins, que ce soit annoncé.
expired 75 - ti-kaz-dijoux-97411 | Expédit Dijoux | expedit.dijoux@example.org | 02 61 91 97 41 | Ti Kaz c’est chez moi. Le rougail du jeudi passe au vendredi, il faut le dire aux gens !
`

export const demoClaims: DemoClaim[] = lines.trim().split('\n').map(parse)
