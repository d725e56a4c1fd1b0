/** Starts a download of the address; without a name, the server names the file. */
export function download(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

/** Hands data to the browser as a file. */
export function downloadBlob(data: Blob, name: string): void {
  const address = URL.createObjectURL(data)
  download(address, name)
  // Not at once: some browsers start reading a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
