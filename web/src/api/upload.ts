/**
 * Carries out a request and reports which part of its body has left, from 0 to 1: `fetch` reports none. Rejects where no
 * response came, as `fetch` does.
 */
export const uploadWith =
  (onProgress: (part: number) => void) =>
  async (request: Request): Promise<Response> => {
    const body = await request.blob()
    const { signal, method, url, headers } = request
    const sending = new XMLHttpRequest()
    const stop = () => sending.abort()
    sending.open(method, url)
    sending.responseType = 'blob'
    for (const [name, value] of headers) sending.setRequestHeader(name, value)
    sending.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    signal.addEventListener('abort', stop)
    try {
      return await new Promise((resolve, reject) => {
        sending.onload = () => resolve(responseOf(sending))
        sending.onerror = () => reject(new TypeError('no response'))
        sending.onabort = () => reject(new DOMException('aborted', 'AbortError'))
        if (signal.aborted) reject(new DOMException('aborted', 'AbortError'))
        else sending.send(body)
      })
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

function responseOf(sent: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of sent.getAllResponseHeaders().trim().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return new Response(sent.response, { status: sent.status, statusText: sent.statusText, headers })
}
