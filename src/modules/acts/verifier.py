"""Verifie la preuve d'un acte, sans reseau. Sortie : 0 prouve, 1 contredit, 2 rien ne prouve le moment.

python3 verifier.py                       les fichiers de ce dossier
python3 verifier.py RACINE                et la racine du jour, gardee ailleurs (ou une copie gardee de racines.json)
python3 verifier.py --sceau FICHIER.tsr   le sceau que cet horodatage doit porter, calcule depuis les fichiers
"""
import base64, datetime, hashlib, json, os, sys

def h(*parts):
    return hashlib.sha256(b''.join(parts)).digest()

def check(ok, words):
    if not ok:
        sys.exit('ECHEC : ' + words)

def read(name):
    check(os.path.exists(name), name + ' manque')
    with open(name, 'rb') as file:
        return file.read()

def element(der, at=0):
    """Reads an element of DER or BER: its tag with its parts, or its bytes; and where it ends."""
    tag, size, at = der[at], der[at + 1], at + 2
    if size > 128:
        at, size = at + size - 128, int.from_bytes(der[at:at + size - 128], 'big')
    elif size == 128:
        size = None
    if not tag & 32:
        return (tag, der[at:at + size]), at + size
    end, parts = None if size is None else at + size, []
    while at != end and (end is not None or der[at:at + 2] != b'\0\0'):
        part, at = element(der, at)
        parts.append(part)
    return (tag, parts), at if end is not None else at + 2

def down(one, *path):
    for index in path:
        one = one[1][index]
    return one

def token(name):
    """Reads an answer of RFC 3161: the digest that the authority saw, and when."""
    try:
        content = down(element(read(name))[0], 1, 1, 0, 2, 1, 0)[1]
        info, _ = element(content if isinstance(content, bytes) else b''.join(part for _, part in content))
        algorithm, digest, time = down(info, 2, 0, 0)[1], down(info, 2, 1)[1], down(info, 4)[1]
        at = datetime.datetime.strptime(time.decode()[:14], '%Y%m%d%H%M%S')
    except (IndexError, TypeError, ValueError):
        check(False, name + " n'est pas un horodatage")
    check(algorithm.hex() == '608648016503040201', name + " ne porte pas sur une empreinte SHA-256")
    return digest.hex(), at

# 1. The files are those of the list.
if os.path.exists('SHA256SUMS'):
    for line in read('SHA256SUMS').decode().splitlines(keepends=True):
        name = line[66:-1]
        check(line == h(read(name)).hex() + '  ' + name + '\n', name + " n'est pas le fichier de SHA256SUMS")

# 2. File, record and chain belong together.
record = read('acte.json')
act, chain = json.loads(record), json.loads(read('chaine.json'))
if chain['occulte']:
    check(not os.path.exists('acte.pdf'), "acte.pdf est retire selon chaine.json")
else:
    check(h(read('acte.pdf')).hex() == act['sha256'], "acte.pdf n'est pas le fichier de acte.json")
    if 'text_sha256' in act:
        check(h(read('texte.txt')).hex() == act['text_sha256'], "texte.txt n'est pas le texte de acte.json")
links, root = chain['links'], chain['root']
check(bytes.fromhex(links[0]['digest']) == h(record), "acte.json n'est pas ce que la chaine a scelle")
check([one['number'] for one in links] == list(range(chain['number'], chain['number'] + len(links))), 'un maillon manque')
seals = [bytes.fromhex(chain['previous'])]
for one in links:
    seals.append(h(seals[-1], bytes.fromhex(one['digest'])))
own, last = seals[1].hex(), seals[-1].hex()
published = datetime.datetime.strptime(act['published_at'], '%Y-%m-%dT%H:%M:%S.%fZ')
if root is not None:
    check(last == root['seal'], 'la chaine ne mene pas a la racine du jour')
    check(root['number'] == links[-1]['number'], 'un maillon manque')
    in_paris = [str((published + datetime.timedelta(hours=hours)).date()) for hours in (1, 2)]
    check(root['date'] in in_paris, "la racine n'est pas celle du jour de mise en ligne")
seal_of = {'horodatage.tsr': own, 'horodatage-racine.tsr': last}
argument = sys.argv[-1] if len(sys.argv) > 1 else None
if len(sys.argv) > 2:
    check(sys.argv[1] == '--sceau' and argument in seal_of, __doc__)
    print(seal_of[argument])
    sys.exit()
print('OK', 'les fichiers et la chaine vont ensemble ; mise en ligne annoncee le', act['published_at'], '; sceau', own)
if chain['occulte']:
    print("   l'acte est retire : il n'en reste que l'empreinte", act['sha256'])

# 3. What the outside says: an authority, or who kept a root.
proven = False
for name, seal in seal_of.items():
    if os.path.exists(name):
        digest, at = token(name)
        check(digest == seal, name + ' porte sur un autre sceau : ' + digest)
        check(at > published - datetime.timedelta(minutes=10), name + ' est plus ancien que la mise en ligne annoncee')
        proven = True
        print('PROUVE par', name, ": l'acte existait, tel quel, le", at, '(UTC), si la commande openssl de LISEZMOI.txt dit OK')
        for pem in read(name[:-3] + 'pem').split(b'-----END')[:-1]:
            der = base64.b64decode(pem.split(b'CERTIFICATE-----')[-1])
            print("   avec le certificat d'empreinte SHA-256", h(der).hex(), ": comparez-la a celle que l'autorite publie")
if argument is not None:
    if os.path.exists(argument):
        kept = [one for one in json.loads(read(argument))['racines'] if root and one['date'] == root['date']]
        check(kept, "la copie des racines n'a pas celle de ce jour")
        check(kept[0]['number'] == root['number'] and kept[0]['seal'] == last, 'la racine conservee ailleurs est une autre')
    else:
        check(argument.lower() == last, 'la racine conservee ailleurs est une autre')
    proven = True
    print("PROUVE par la racine que vous avez donnee, si elle a ete gardee ailleurs : l'acte existait, tel quel, ce jour-la")
if not proven:
    print("NON PROUVE : le moment. Ni horodatage, ni racine gardee ailleurs : qui tient le serveur, ou qui a envoye cette")
    print("archive, a pu tout fabriquer apres coup. Lancez : python3 verifier.py RACINE")
    sys.exit(2)
