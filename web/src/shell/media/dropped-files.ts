import { type DragEvent, useEffect, useRef, useState } from 'react'

type DropOptions = { isOn: boolean; takesPasted: boolean }

/** Takes files that are dropped on an element, and pasted in the page. A file dropped beside it must not replace the page. */
export function useDroppedFiles(onFiles: (files: File[]) => void, { isOn, takesPasted }: DropOptions) {
  const [isOver, setOver] = useState(false)
  const take = useRef(onFiles)
  useEffect(() => {
    take.current = onFiles
  })
  useEffect(() => {
    const keepPage = (event: globalThis.DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      const formats: readonly string[] = event.clipboardData?.types ?? []
      // A text from a word processor comes with a picture of itself.
      if (!isOn || !takesPasted || files.length === 0 || formats.includes('text/plain')) return
      event.preventDefault()
      event.stopPropagation()
      take.current(files)
    }
    window.addEventListener('dragover', keepPage)
    window.addEventListener('drop', keepPage)
    // Before the editor, which would take the picture into the text.
    window.addEventListener('paste', paste, { capture: true })
    return () => {
      window.removeEventListener('dragover', keepPage)
      window.removeEventListener('drop', keepPage)
      window.removeEventListener('paste', paste, { capture: true })
    }
  }, [isOn, takesPasted])
  const target = {
    onDragOver: (event: DragEvent) => {
      if (isOn && event.dataTransfer.types.includes('Files')) setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false)
      if (isOn && event.dataTransfer.files.length > 0) take.current([...event.dataTransfer.files])
    },
  }
  return { isOver, target }
}
