/** The program in each proof. It needs Python alone, and is short enough to be read. */
export const verifier = `import hashlib, json, os, sys

def h(*parts):
    return hashlib.sha256(b''.join(parts)).digest()

def check(ok, words):
    if not ok:
        sys.exit('ECHEC : ' + words)

record = open('acte.json', 'rb').read()
act, chain = json.loads(record), json.load(open('chaine.json'))
if not chain['occulte']:
    check(os.path.exists('acte.pdf'), 'acte.pdf manque')
    check(h(open('acte.pdf', 'rb').read()).hex() == act['sha256'], "acte.pdf n'est pas le fichier de acte.json")
    if 'text_sha256' in act:
        check(h(open('texte.txt', 'rb').read()).hex() == act['text_sha256'], "texte.txt n'est pas le texte de acte.json")
links = chain['links']
check(bytes.fromhex(links[0]['digest']) == h(record), "acte.json n'est pas ce que la chaine a scelle")
check([one['number'] for one in links] == list(range(chain['number'], chain['number'] + len(links))), 'un maillon manque')
seal = bytes.fromhex(chain['previous'])
for one in links:
    seal = h(seal, bytes.fromhex(one['digest']))
root = chain['root']
check(root is None or seal.hex() == root['seal'], 'la chaine ne mene pas a la racine du jour')
check(root is None or root['number'] == links[-1]['number'], 'un maillon manque')
if len(sys.argv) > 1:
    check(seal.hex() == sys.argv[1].lower(), 'la racine conservee ailleurs est une autre')
print('OK', act['published_at'], 'sceau', seal.hex())
`

type Stamp = { name: string; seal: string; at: Date; authority: string }
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
verifier.py   un programme court, à lire avant de le lancer

1. Le PDF est celui qui a été publié :
   sha256sum -c SHA256SUMS

2. Le PDF, la date et la chaîne vont ensemble, jusqu'à la racine du jour :
   python3 verifier.py

3. La racine est celle que vous, ou quelqu'un d'autre, avez gardée ce jour-là :
   python3 verifier.py RACINE
   Les racines de tous les jours sont à l'adresse /actes/racines.json du site.

${
  root === null
    ? "La racine de ce jour sera publiée demain : cette preuve s'arrête au sceau de l'acte. Téléchargez-la à nouveau demain."
    : `Racine du ${root.date} : ${root.seal}`
}

${stamps.map(stampText).join('')}Ce que cela prouve : qui garde la racine d'un jour peut montrer que cet acte était en ligne ce jour-là, tel quel. Sans racine
gardée ailleurs${stamps.length > 0 ? ' ni horodatage' : ''}, la preuve montre seulement que ses parties vont ensemble.
`

/**
 * Says how to verify a timestamp. The moment of the verification is that of the timestamp, because certificates expire.
 */
const stampText = ({
  name,
  seal,
  at,
  authority,
}: Stamp) => `${name}.tsr est un horodatage (RFC 3161) : « ${authority} » a signé qu'elle a vu le sceau
${seal}
le ${at.toISOString()}. Ce sceau couvre l'acte et tous ceux qui le précèdent. Pour le vérifier :
   openssl ts -verify -digest ${seal} -in ${name}.tsr -CAfile ${name}.pem -attime ${Math.ceil(at.getTime() / 1_000)}
Comparez ${name}.pem aux certificats que l'autorité publie. L'option -attime vérifie au jour de l'horodatage : un certificat
expiré depuis ne change rien à ce qui est prouvé. Si la clé de l'autorité a été volée, l'horodatage ne prouve plus rien ; la
chaîne et les racines gardées ailleurs prouvent toujours.

`
