/** The program in each proof of presence. It needs Python alone. */
export const presenceVerifier = (longestHours: number) => `import datetime, hashlib, json, sys

def h(*parts):
    return hashlib.sha256(b''.join(parts)).digest()

def check(ok, words):
    if not ok:
        sys.exit('ECHEC : ' + words)

def moment(text):
    return datetime.datetime.strptime(text, '%Y-%m-%dT%H:%M:%S.%fZ')

def follow(part, kept):
    """Follows a part of the chain to the root of its day."""
    seal, number = bytes.fromhex(part['previous']), part['links'][0]['number']
    for one in part['links']:
        check(one['number'] == number, 'un maillon manque')
        digest = h(one['record'].encode()) if 'record' in one else bytes.fromhex(one['digest'])
        seal, number = h(seal, digest), number + 1
    root = part['root']
    check(root is not None, "la racine du jour de publication n'est pas encore publique")
    check(seal.hex() == root['seal'] and number - 1 == root['number'], 'la chaine ne mene pas a la racine du ' + root['date'])
    check(kept is None or kept.get(root['date']) == (root['number'], root['seal']), 'la racine conservee du ' + root['date'] + ' est une autre')

kept = None
if len(sys.argv) > 1:
    kept = {one['date']: (one['number'], one['seal']) for one in json.load(open(sys.argv[1]))['racines']}
record = open('acte.json', 'rb').read()
act, chain, found = json.loads(record), json.load(open('chaine.json')), json.load(open('releves.json'))
check(bytes.fromhex(chain['links'][0]['digest']) == h(record), "acte.json n'est pas ce que la chaine a scelle")
follow(chain, kept)
number, seen, asked, missing = chain['links'][0]['number'], moment(act['published_at']), 0, 0
end, gaps = moment(found['until']), []

def see(at):
    global seen
    if at - seen > datetime.timedelta(hours=${longestHours}):
        gaps.append((seen, at))
    seen = at

last = seen
for day in found['days']:
    follow(day, kept)
    for one in day['links']:
        if 'record' not in one:
            continue
        sample = json.loads(one['record'])
        at = moment(sample['at'])
        check(at >= last, "les releves ne sont pas dans l'ordre")
        last = at
        covered = moment(sample['since']) <= moment(act['published_at']) and number <= sample['through']
        if not covered or at < moment(act['published_at']) or at > end:
            continue
        asked += 1
        if any(first <= number <= final for first, final in sample['missing']):
            missing += 1
        else:
            see(at)
days = [day['root']['date'] for day in found['days']]
if days:
    see(min(end, moment(days[-1] + 'T00:00:00.000Z') + datetime.timedelta(days=1)))
print('OK du', act['published_at'], 'au', seen.strftime('%Y-%m-%dT%H:%M:%SZ'), ':', asked, 'releves,', missing, 'absences,', len(gaps), 'interruptions')
for since, until in gaps:
    print('  rien ne montre que le fichier etait en ligne du', since, 'au', until, '(UTC)')
`

export const presenceReadMe = `PREUVE DE PRÉSENCE EN LIGNE D'UN ACTE

acte.json     ce que le service a publié de cet acte, avec l'empreinte du PDF et l'heure de mise en ligne
chaine.json   les maillons du sceau de l'acte à la racine de son jour
releves.json  pour chaque jour, les relevés, et les maillons du premier relevé à la racine du jour
verifier.py   un programme court, à lire avant de le lancer

Deux fois par jour, le service a demandé à sa propre adresse publique le fichier de chaque acte. Chaque relevé nomme les actes
qui ne sont pas venus, et il est un maillon de la même chaîne que les actes : il ne peut être ni ajouté, ni changé, ni retiré
ensuite.

1. Les relevés, l'acte et la chaîne vont ensemble :
   python3 verifier.py

2. Les racines sont celles que vous, ou quelqu'un d'autre, avez gardées :
   python3 verifier.py racines.json
   racines.json est la copie gardée de /actes/racines.json.

Le programme compte les relevés et nomme chaque temps de plus de quatorze heures où rien ne montre que le fichier était en ligne.

Ce que cela prouve : qui garde les racines peut montrer que le service a fait ces constats ces jours-là, et ne les a pas changés
depuis. Ces constats viennent du service lui-même : un relevé fait par quelqu'un d'autre vaut davantage.
`
