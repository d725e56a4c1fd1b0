import { readFileSync } from 'node:fs'

/** The program in each proof, the same in all of them. It needs Python alone, and is short enough to be read. */
export const verifier = readFileSync(new URL('verifier.py', import.meta.url), 'utf8')

type Stamp = { name: string; at: Date; authority: string }
type Told = {
  isOcculted: boolean
  hasText: boolean
  root: { date: string; seal: string } | null
  stamps: readonly Stamp[]
}

/** Says what is in the archive and how to verify it. */
export const readMe = ({ isOcculted, hasText, root, stamps }: Told) => `PREUVE DE MISE EN LIGNE D'UN ACTE

acte.pdf      l'acte, octet pour octet${isOcculted ? " : retiré, parce qu'un tribunal ou la CNIL l'a demandé" : ''}
acte.json     ce que le service a publié de cet acte, avec l'empreinte du PDF et l'heure de mise en ligne
${hasText ? "texte.txt     le texte de l'acte, que la mairie a saisi parce que le PDF est un scan\n" : ''}chaine.json   le sceau qui précède, et les maillons jusqu'à la racine du jour
verifier.py   un programme court, à lire avant de le lancer, le même dans toutes les preuves
SHA256SUMS    l'empreinte de chaque fichier

Si quelqu'un vous a envoyé cette archive, il a pu changer aussi les programmes et ce texte. Prenez alors LISEZMOI.txt et
verifier.py d'une archive que vous avez téléchargée vous-même.

1. Aucun fichier n'est abîmé. Cela ne dit pas de qui ils viennent :
   sha256sum --strict -c SHA256SUMS

2. Le PDF, la date, la chaîne et les horodatages vont ensemble, et ce qui est prouvé :
   python3 verifier.py
   Le programme sort avec 0 si le moment est prouvé, 1 si quelque chose se contredit, 2 si rien ne prouve le moment.

${stamps.length > 0 ? stampsText(stamps) : ''}${stamps.length > 0 ? 4 : 3}. La racine est celle que vous, ou quelqu'un d'autre, avez gardée ce jour-là :
   python3 verifier.py RACINE
   Au lieu de RACINE, donnez une racine gardée, ou la copie gardée du fichier /actes/racines.json du site. Celui que le site
   donne aujourd'hui ne prouve rien de plus que cette archive.

${
  root === null
    ? "La racine de ce jour sera publiée demain : cette preuve s'arrête au sceau de l'acte. Téléchargez-la à nouveau demain."
    : `Racine du ${root.date} : ${root.seal}`
}

Ce que cela prouve : qui a gardé la racine d'un jour peut montrer que cet acte existait ce jour-là, tel quel ; une autorité
d'horodatage, qu'il existait quand elle a vu son sceau. Que l'acte était en ligne auparavant, le service seul le dit. Sans racine
gardée ailleurs ni horodatage, la preuve montre seulement que ses parties vont ensemble : qui tient le serveur a pu tout fabriquer.
`

/**
 * Says how to verify timestamps. The digest is what the program computes from the files. The moment of the verification is that of
 * the timestamp, because certificates expire.
 */
const stampsText = (
  stamps: readonly Stamp[],
) => `3. L'autorité a signé le sceau que le programme calcule depuis ces fichiers :
${stamps.map(commandOf).join('')}
${stamps.map(({ name, at, authority }) => `${name}.tsr est un horodatage (RFC 3161) : « ${authority} » a signé le ${at.toISOString()} qu'elle a vu un sceau.`).join('\n')}
Il couvre l'acte et tous ceux qui le précèdent. OpenSSL doit dire « Verification: OK ». Comparez les certificats des fichiers
.pem à ceux que l'autorité publie : qui fabrique un horodatage fabrique aussi son autorité. L'option -attime vérifie au jour de
l'horodatage : un certificat expiré depuis ne change rien à ce qui est prouvé. Si la clé de l'autorité a été volée, l'horodatage
ne prouve plus rien ; la chaîne et les racines gardées ailleurs prouvent toujours.

`

const commandOf = ({ name, at }: Stamp) =>
  `   openssl ts -verify -digest "$(python3 verifier.py --sceau ${name}.tsr)" -in ${name}.tsr -CAfile ${name}.pem -attime ${Math.ceil(at.getTime() / 1_000)}\n`
