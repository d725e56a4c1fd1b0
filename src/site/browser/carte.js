/**
 * The map of defibrillators. It begins with those that the page lists, and asks the service for those of the area in view. Its
 * ground is drawn of what the service has, so that nobody else learns where readers look: outlines of départements, names of
 * communes, and distances around the place that was asked for.
 */

/** @typedef {import('maplibre-gl').Map} LibreMap */
/** @typedef {import('maplibre-gl').StyleSpecification} Style */
/** @typedef {import('maplibre-gl').GeoJSONSource} Source */
/** @typedef {{ longitude: number, latitude: number }} Point */
/** @typedef {'open' | 'unknown' | 'closed'} State */
/** @typedef {Point & { state: State, row: Element }} Device */
/** @typedef {Point & { nom: string }} Commune */
/** @typedef {{ files: Record<string, string>, texts: Record<string, string> & { states: Record<State, string> }, area: string }} Given */

/** The service puts this before the file. */
const { files, texts, area } = /** @type {Given} */ (/** @type {any} */ (globalThis).carte)
/** @type {readonly State[]} */
const states = ['open', 'unknown', 'closed']
/** From here on devices are asked for: further away, the nearest ones would be one spot. */
const devicesFromZoom = 9
const maxRadius = 50_000
/** So many of the open ones nearest to the reader stand alone, whatever is around them. */
const aloneAtMost = 10
/** As wide as a finger. */
const reach = 14
const france = { west: -5.2, south: 41.3, east: 9.6, north: 51.1 }

/**
 * Opens the map in a section and returns what removes it.
 * @param {HTMLElement} section
 * @param {HTMLElement} status
 * @param {object} options
 * @param {Point | null} options.place where the map begins if the page lists nothing
 * @param {string | undefined} options.label of the place, which is then marked
 * @param {string} options.again added to the address of the library, after a failure
 */
export async function openMap(section, status, { place, label, again }) {
  if (document.createElement('canvas').getContext('webgl2') === null) throw new Error('There is no WebGL.')
  /** @type {[typeof import('maplibre-gl'), object | null, void]} */
  const [library, outlines] = await Promise.all([
    import(files.library + again),
    fetch(files.outlines ?? '')
      .then((response) => response.json())
      .catch(() => null),
    loadStyles(),
  ])
  library.setWorkerUrl(files.worker ?? '')
  const parts = addParts(section)
  const listed = devicesIn(document)
  const here = place !== null && label !== undefined ? { ...place, nom: label } : null
  const drawn = {
    devices: listed,
    // The list begins with what is near, and closed ones end it.
    nearest: here === null ? [] : listed.filter(({ state }) => state === 'open').slice(0, aloneAtMost),
    communes: /** @type {Commune[]} */ ([]),
    chosen: /** @type {Device[]} */ ([]),
  }
  const map = new library.Map({
    container: parts.ground,
    style: styleOf(outlines, here, drawn),
    ...viewOf(listed, place, here),
    ...{ minZoom: 4, maxZoom: 18, attributionControl: false, fadeDuration: 0 },
    ...{ dragRotate: false, pitchWithRotate: false, touchPitch: false },
    // The ground has no fonts: the browser's own ones draw the names.
    localIdeographFontFamily: 'sans-serif',
    locale: { 'Map.Title': texts.title ?? '' },
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  map.addControl(new library.ScaleControl({ unit: 'metric', maxWidth: 90 }), 'bottom-left')

  const draw = () => {
    for (const [name, data] of Object.entries(collectionsOf(drawn))) {
      const source = /** @type {Source | undefined} */ (map.getSource(name))
      source?.setData(data)
    }
  }
  /** @param {Device[]} devices */
  const choose = (devices) => {
    drawn.chosen = devices
    showChosen(parts, devices)
    draw()
    uncover(map, parts, devices)
  }
  const ask = asker((answer) => {
    const known = new Set(listed.map(keyOf))
    drawn.devices = [...listed, ...answer.devices.filter((one) => !known.has(keyOf(one)))]
    drawn.communes = answer.communes
    draw()
  })
  const look = async () => {
    const sentence = await ask(map)
    if (sentence === null) return
    const bounds = map.getBounds()
    const seen = drawn.devices.filter(({ longitude, latitude }) => bounds.contains([longitude, latitude]))
    const open = seen.filter(({ state }) => state === 'open').length
    const counted = filled(texts.seen ?? '', { count: seen.length, open })
    status.textContent = seen.length > 0 || sentence === '' ? `${counted} ${sentence}` : sentence
  }
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const repaint = () => {
    for (const canvas of parts.legend.querySelectorAll('canvas')) paintLegend(canvas)
    parts.ground.toggleAttribute('data-drawn', false)
    addImages(map)
    map.setStyle(styleOf(outlines, here, drawn))
  }
  dark.addEventListener('change', repaint)

  map.on('styleimagemissing', () => addImages(map))
  map.on('idle', () => parts.ground.toggleAttribute('data-drawn', true))
  map.on('load', look)
  map.on('moveend', look)
  map.on('click', ({ point }) => pick(map, point, drawn.devices, choose))
  map.on('mousemove', ({ point }) => {
    map.getCanvas().style.cursor = spotsAt(map, point).length > 0 ? 'pointer' : ''
  })
  parts.zoomIn.addEventListener('click', () => map.zoomIn())
  parts.zoomOut.addEventListener('click', () => map.zoomOut())
  parts.leave.addEventListener('click', () => {
    choose([])
    map.getCanvas().focus()
  })
  section.addEventListener('keydown', ({ key }) => key === 'Escape' && choose([]))
  addImages(map)
  return () => {
    dark.removeEventListener('change', repaint)
    map.remove()
  }
}

function loadStyles() {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = files.styles ?? ''
  const { promise, resolve, reject } = Promise.withResolvers()
  link.addEventListener('load', () => resolve(undefined))
  link.addEventListener('error', reject)
  document.head.append(link)
  return promise
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} className
 * @param {...(Node | string)} children
 */
function element(name, className, ...children) {
  const made = document.createElement(name)
  made.className = className
  made.append(...children)
  return made
}

/**
 * @param {string} className
 * @param {string} sign
 * @param {string} label
 */
function button(className, sign, label) {
  const made = element('button', className, sign)
  made.type = 'button'
  made.setAttribute('aria-label', label)
  made.title = label
  return made
}

/** @param {HTMLElement} section */
function addParts(section) {
  const zoomIn = button('', '+', texts.zoomIn ?? '')
  const zoomOut = button('', '−', texts.zoomOut ?? '')
  const leave = button('close', '×', texts.leave ?? '')
  const rows = element('ul', 'rows')
  const chosen = element('div', 'chosen', rows, leave)
  chosen.hidden = true
  const live = element('div', 'live', chosen)
  live.setAttribute('aria-live', 'polite')
  const over = element('div', 'over', element('div', 'zoom', zoomIn, zoomOut), live)
  const ground = element('div', 'ground')
  const legend = element(
    'ul',
    'legend plain',
    ...states.map((state) => {
      const canvas = element('canvas', '')
      canvas.dataset.state = state
      canvas.setAttribute('aria-hidden', 'true')
      paintLegend(canvas)
      return element('li', '', canvas, texts.states[state])
    }),
  )
  section.append(element('div', 'frame', ground, over), legend, element('p', 'meta', texts.source ?? ''))
  return { ground, zoomIn, zoomOut, leave, chosen, rows, legend }
}

/**
 * The devices in the rows of a list. A row without a place has no address for the map of a phone.
 * @param {ParentNode} list
 * @returns {Device[]}
 */
function devicesIn(list) {
  return [...list.querySelectorAll('.rows > li:has(a[href^="geo:"])')].map((row) => {
    const [latitude = 0, longitude = 0] = (row.querySelector('a[href^="geo:"]')?.getAttribute('href') ?? '')
      .slice('geo:'.length)
      .split(',')
      .map(Number)
    const state = row.querySelector('.state')
    const isKnown = states.find((one) => state?.classList.contains(one))
    return { latitude, longitude, state: isKnown ?? 'unknown', row }
  })
}

/** @param {Device} device */
const nameOf = ({ row }) => row.querySelector('h2')?.textContent ?? ''

/** @param {Device} device */
const keyOf = (device) => `${device.latitude} ${device.longitude} ${nameOf(device)}`

/**
 * @param {Device[]} listed
 * @param {Point | null} place
 * @param {Point | null} here
 */
function viewOf(listed, place, here) {
  if (listed.length === 0 && place !== null)
    return { center: /** @type {[number, number]} */ ([place.longitude, place.latitude]), zoom: 12 }
  const points = here === null ? listed : [...listed, here]
  const [longitudes, latitudes] = [points.map((one) => one.longitude), points.map((one) => one.latitude)]
  const { west, south, east, north } =
    points.length === 0
      ? france
      : {
          west: Math.min(...longitudes),
          south: Math.min(...latitudes),
          east: Math.max(...longitudes),
          north: Math.max(...latitudes),
        }
  const bounds = /** @type {[number, number, number, number]} */ ([west, south, east, north])
  return { bounds, fitBoundsOptions: { padding: points.length === 0 ? 10 : 48, maxZoom: 15 } }
}

/**
 * Returns what asks for the area in view. It returns a sentence about the devices there, which may be empty; null if the map
 * has moved on meanwhile. An area within one whose devices are all known is not asked for again.
 * @param {(answer: { devices: Device[], communes: Commune[] }) => void} show
 */
function asker(show) {
  let controller = new AbortController()
  /** @type {{ centre: import('maplibre-gl').LngLat, radius: number } | null} */
  let whole = null
  return async (/** @type {LibreMap} */ map) => {
    controller.abort()
    controller = new AbortController()
    const { signal } = controller
    if (map.getZoom() < devicesFromZoom) return texts.closer ?? ''
    const centre = map.getCenter().wrap()
    const inView = centre.distanceTo(map.getBounds().getNorthEast())
    if (whole !== null && centre.distanceTo(whole.centre) + inView <= whole.radius) return ''
    const radius = Math.min(maxRadius, Math.ceil(inView * 1.3) + 100)
    const query = new URLSearchParams({
      ...{ lat: centre.lat.toFixed(3), lon: centre.lng.toFixed(3), rayon: `${radius}` },
    })
    try {
      const response = await fetch(`${area}?${query}`, { signal })
      if (!response.ok) throw new Error(`The service answered ${response.status}.`)
      const { total, rows, communes } = await response.json()
      const devices = devicesIn(new DOMParser().parseFromString(rows, 'text/html'))
      const isWhole = total <= devices.length
      whole = isWhole ? { centre, radius: radius - 100 } : null
      show({ devices, communes })
      return isWhole ? '' : (texts.nearest ?? '')
    } catch {
      return signal.aborted ? null : (texts.areaFailed ?? '')
    }
  }
}

/**
 * @param {LibreMap} map
 * @param {{ x: number, y: number }} point
 */
const spotsAt = (map, { x, y }) =>
  map.queryRenderedFeatures(
    [
      [x - reach, y - reach],
      [x + reach, y + reach],
    ],
    { layers: ['groups', 'devices', 'nearest'] },
  )

/**
 * Opens what was tapped: a group comes apart, or is shown as a list where its devices are at one place.
 * @param {LibreMap} map
 * @param {{ x: number, y: number }} point
 * @param {Device[]} devices
 * @param {(devices: Device[]) => void} choose
 */
async function pick(map, point, devices, choose) {
  const spots = spotsAt(map, point)
  /** @param {{ properties: Record<string, any> }[]} features */
  const devicesOf = (features) =>
    [...new Set(features.map(({ properties }) => devices[properties.index]))].filter(
      (one) => one !== undefined,
    )
  const group = spots.find(({ layer }) => layer.id === 'groups')
  if (group === undefined || spots.some(({ layer }) => layer.id === 'nearest'))
    return choose(devicesOf(spots))
  const source = /** @type {Source} */ (map.getSource('devices'))
  const { cluster_id: id } = group.properties
  const zoom = await source.getClusterExpansionZoom(id)
  const { coordinates } = /** @type {GeoJSON.Point} */ (group.geometry)
  const [longitude = 0, latitude = 0] = coordinates
  map.easeTo({ center: [longitude, latitude], zoom: Math.max(zoom, map.getZoom() + 1) })
}

/**
 * @param {ReturnType<typeof addParts>} parts
 * @param {Device[]} devices
 */
function showChosen({ chosen, rows }, devices) {
  rows.replaceChildren(...devices.map(({ row }) => row.cloneNode(true)))
  chosen.hidden = devices.length === 0
  chosen.scrollTop = 0
}

/**
 * Moves the map when what was tapped is below what is told of it.
 * @param {LibreMap} map
 * @param {ReturnType<typeof addParts>} parts
 * @param {Device[]} devices
 */
function uncover(map, { ground, chosen }, [device]) {
  if (device === undefined) return
  const room = ground.clientHeight - chosen.offsetHeight
  const { y } = map.project([device.longitude, device.latitude])
  if (y > room - size) map.panBy([0, y - room / 2])
}

/**
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => `${values[name] ?? ''}`)

/**
 * Reads the colour of a token, because a map draws on a canvas and knows no custom properties.
 * @param {string} token
 */
function colour(token) {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

const size = 26

/**
 * Draws the sign of a state: each has a form of its own.
 * @param {CanvasRenderingContext2D} context
 * @param {State} state
 */
function drawSign(context, state) {
  const [paper, ink, good, soft] = ['--paper', '--ink', '--good', '--soft'].map(colour)
  const middle = size / 2
  context.lineWidth = 2
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.beginPath()
  if (state === 'closed') context.roundRect(4, 4, size - 8, size - 8, 3)
  else context.arc(middle, middle, middle - 2, 0, 2 * Math.PI)
  context.fillStyle = (state === 'open' ? good : paper) ?? ''
  context.strokeStyle = (state === 'open' ? paper : state === 'closed' ? soft : ink) ?? ''
  context.fill()
  context.stroke()
  context.beginPath()
  if (state === 'open') {
    context.lineWidth = 3
    context.moveTo(7.5, 13.5)
    context.lineTo(11.5, 17.5)
    context.lineTo(18.5, 9)
  } else if (state === 'closed') {
    context.moveTo(9, 9)
    context.lineTo(17, 17)
    context.moveTo(17, 9)
    context.lineTo(9, 17)
  } else {
    context.font = '700 16px system-ui, sans-serif'
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.fillStyle = ink ?? ''
    context.fillText('?', middle, middle + 1)
  }
  context.stroke()
}

const ratio = Math.max(2, Math.ceil(devicePixelRatio))

/** @param {HTMLCanvasElement} canvas */
function paintLegend(canvas) {
  canvas.width = canvas.height = size * ratio
  canvas.style.width = canvas.style.height = `${size}px`
  const context = canvas.getContext('2d')
  context?.scale(ratio, ratio)
  if (context) drawSign(context, /** @type {State} */ (canvas.dataset.state))
}

/** @param {CanvasRenderingContext2D} context */
function drawGroup(context) {
  context.beginPath()
  context.arc(size / 2, size / 2, size / 2 - 1, 0, 2 * Math.PI)
  context.fillStyle = colour('--deep')
  context.strokeStyle = colour('--paper')
  context.lineWidth = 1.5
  context.fill()
  context.stroke()
}

/** @param {LibreMap} map */
function addImages(map) {
  for (const name of /** @type {const} */ ([...states, 'group'])) {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = size * ratio
    const context = canvas.getContext('2d')
    if (context === null) return
    context.scale(ratio, ratio)
    if (name === 'group') drawGroup(context)
    else drawSign(context, name)
    const image = context.getImageData(0, 0, size * ratio, size * ratio)
    if (map.hasImage(name)) map.updateImage(name, image)
    else map.addImage(name, image, { pixelRatio: ratio })
  }
}

/**
 * @param {Point} point
 * @param {Record<string, unknown>} properties
 */
const pointFeature = ({ longitude, latitude }, properties = {}) => ({
  type: /** @type {const} */ ('Feature'),
  properties,
  geometry: { type: /** @type {const} */ ('Point'), coordinates: [longitude, latitude] },
})

/** @param {any[]} features */
const collection = (features) => ({ type: /** @type {const} */ ('FeatureCollection'), features })

/** @typedef {{ devices: Device[], nearest: Device[], communes: Commune[], chosen: Device[] }} Drawn */

/** @param {Drawn} drawn */
function collectionsOf({ devices, nearest, communes, chosen }) {
  const isAlone = new Set(nearest)
  /** @param {boolean} alone */
  const deviceFeatures = (alone) =>
    devices.flatMap((one, index) =>
      isAlone.has(one) === alone ? [pointFeature(one, { index, state: one.state, nom: nameOf(one) })] : [],
    )
  return {
    devices: collection(deviceFeatures(false)),
    nearest: collection(deviceFeatures(true)),
    communes: collection(communes.map((one) => pointFeature(one, { nom: one.nom }))),
    chosen: collection(chosen.map((one) => pointFeature(one))),
  }
}

const rings = [250, 500, 1_000, 2_000, 5_000, 10_000]

/**
 * The distances around a place: a ring each, with its length.
 * @param {Point} place
 */
function ringsAround({ longitude, latitude }) {
  const degree = 111_195
  /** @type {(radius: number, angle: number) => [number, number]} */
  const at = (radius, angle) => [
    longitude + ((radius / degree) * Math.sin(angle)) / Math.cos((latitude * Math.PI) / 180),
    latitude + (radius / degree) * Math.cos(angle),
  ]
  return collection(
    rings.flatMap((radius) => {
      const coordinates = Array.from({ length: 73 }, (_, step) => at(radius, (step * Math.PI) / 36))
      const label = radius < 1_000 ? `${radius} m` : `${radius / 1_000} km`
      return [
        { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } },
        // Once above and once below: one of them may be hidden by a device.
        ...[0, Math.PI].map((angle) => {
          const [lon, lat] = at(radius, angle)
          return pointFeature({ longitude: lon, latitude: lat }, { label })
        }),
      ]
    }),
  )
}

/**
 * @param {object | null} outlines
 * @param {Commune | null} here
 * @param {Drawn} drawn
 * @returns {Style}
 */
function styleOf(outlines, here, drawn) {
  const { devices, nearest, communes, chosen } = collectionsOf(drawn)
  /** @param {any} data */
  const geojson = (data) => ({ type: /** @type {const} */ ('geojson'), data })
  const names = ['--paper', '--ink', '--soft', '--line', '--wash', '--deep']
  const [paper = '', ink = '', soft = '', line = '', wash = '', accent = ''] = names.map(colour)
  const colours = { paper, ink, soft, line, wash, accent }
  return {
    version: 8,
    transition: { duration: 0 },
    sources: {
      outlines: geojson(outlines ?? collection([])),
      rings: geojson(here === null ? collection([]) : ringsAround(here)),
      communes: geojson(communes),
      here: geojson(collection(here === null ? [] : [pointFeature(here, { nom: here.nom })])),
      chosen: geojson(chosen),
      nearest: geojson(nearest),
      devices: { ...geojson(devices), cluster: true, clusterRadius: 28, clusterMaxZoom: 14 },
    },
    layers: [...groundLayers(colours), ...nameLayers(colours), ...deviceLayers(colours)],
  }
}

/** @typedef {Record<'paper' | 'ink' | 'soft' | 'line' | 'wash' | 'accent', string>} Colours */

/** @param {string} wash */
const haloOf = (wash) => ({ 'text-halo-color': wash, 'text-halo-width': 2.5 })

/**
 * A name on the side of its point where there is room.
 * @param {number} offset
 * @returns {Pick<import('maplibre-gl').SymbolLayerSpecification['layout'] & {}, 'text-variable-anchor' | 'text-radial-offset'>}
 */
const beside = (offset) => ({
  'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
  'text-radial-offset': offset,
})

const font = { 'text-font': ['sans-serif'], 'text-size': 13 }

/**
 * @param {Colours} colours
 * @returns {Style['layers']}
 */
const groundLayers = ({ soft, line, wash }) => [
  // The outlines are too coarse for what is near: there, the ground is plain.
  {
    id: 'sea',
    type: 'background',
    paint: { 'background-color': ['interpolate', ['linear'], ['zoom'], 9, line, 11, wash] },
  },
  {
    id: 'land',
    type: 'fill',
    source: 'outlines',
    maxzoom: 11,
    paint: { 'fill-color': wash },
  },
  {
    id: 'borders',
    type: 'line',
    source: 'outlines',
    maxzoom: 11,
    paint: { 'line-color': soft, 'line-width': 0.75, 'line-opacity': 0.6 },
  },
  {
    id: 'rings',
    type: 'line',
    source: 'rings',
    filter: ['==', ['geometry-type'], 'LineString'],
    paint: { 'line-color': soft, 'line-width': 1, 'line-dasharray': [3, 3] },
  },
]

/**
 * @param {Colours} colours
 * @returns {Style['layers']}
 */
function nameLayers({ soft, wash }) {
  const halo = haloOf(wash)
  return [
    {
      id: 'communes',
      type: 'symbol',
      source: 'communes',
      minzoom: devicesFromZoom,
      layout: {
        ...{ ...font, ...beside(0.6), 'text-field': ['get', 'nom'] },
        ...{ 'text-max-width': 8, 'text-letter-spacing': 0.05 },
      },
      paint: { ...halo, 'text-color': soft },
    },
    {
      id: 'distances',
      type: 'symbol',
      source: 'rings',
      filter: ['==', ['geometry-type'], 'Point'],
      layout: { ...font, 'text-size': 12, 'text-field': ['get', 'label'] },
      paint: { ...halo, 'text-color': soft },
    },
  ]
}

/** @typedef {import('maplibre-gl').ExpressionSpecification} Expression */
/** @type {Expression} */
const nom = ['get', 'nom']
/** @type {Expression} */
const isOne = ['!', ['has', 'point_count']]

/**
 * From below: devices, closed ones first; groups; the nearest open devices; the reader.
 * @param {Colours} colours
 * @returns {Style['layers']}
 */
const deviceLayers = ({ paper, ink, wash, accent }) => [
  {
    id: 'chosen',
    type: 'circle',
    source: 'chosen',
    paint: { 'circle-radius': 18, 'circle-color': accent, 'circle-opacity': 0.35 },
  },
  // MapLibre places upper layers first: names keep clear of signs, and of the place of the reader.
  ...['devices', 'nearest'].map((source) => ({
    ...{ id: `names-of-${source}`, type: /** @type {const} */ ('symbol'), source, filter: isOne },
    layout: { ...font, ...beside(1.2), 'text-field': nom, 'text-max-width': 9 },
    paint: { ...haloOf(wash), 'text-color': ink },
  })),
  {
    id: 'here-name',
    type: 'symbol',
    source: 'here',
    layout: { ...font, ...beside(1.7), 'text-field': nom },
    paint: { ...haloOf(wash), 'text-color': accent },
  },
  {
    id: 'devices',
    type: 'symbol',
    source: 'devices',
    filter: isOne,
    layout: {
      ...{ 'icon-image': ['get', 'state'], 'icon-allow-overlap': true },
      // Draws open devices above closed ones.
      'symbol-sort-key': ['match', ['get', 'state'], 'open', 2, 'unknown', 1, 0],
    },
  },
  {
    id: 'groups',
    type: 'symbol',
    source: 'devices',
    filter: ['has', 'point_count'],
    layout: {
      ...{ 'icon-image': 'group', 'icon-size': 1.2, 'icon-allow-overlap': true },
      ...{ ...font, 'text-field': ['to-string', ['get', 'point_count']], 'text-allow-overlap': true },
    },
    paint: { 'text-color': paper },
  },
  {
    id: 'nearest',
    type: 'symbol',
    source: 'nearest',
    layout: { 'icon-image': 'open', 'icon-allow-overlap': true },
  },
  {
    id: 'here',
    type: 'circle',
    source: 'here',
    paint: {
      ...{ 'circle-color': accent, 'circle-radius': 7 },
      ...{ 'circle-stroke-color': paper, 'circle-stroke-width': 2 },
    },
  },
]
