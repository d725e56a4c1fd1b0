type MapSettings = { styleUrl: string | null; pmtilesUrl: string | null }

/** Background of the map as the operator has set it. On the development server there is none. */
export function readMapSettings(): MapSettings {
  const content = document.querySelector('meta[name="parvis-map"]')?.getAttribute('content') ?? ''
  return content.startsWith('{') ? JSON.parse(content) : { styleUrl: null, pmtilesUrl: null }
}
