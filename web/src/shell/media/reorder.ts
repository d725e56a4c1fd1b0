import { type PointerEvent, useState } from 'react'

export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const others = items.filter((_, index) => index !== from)
  return [...others.slice(0, to), items[from] as Item, ...others.slice(to)]
}

/**
 * Drags an item of a list by its handle, with a mouse, pen or finger: released, it takes the place of the item that it is over.
 * Keys have buttons of their own.
 */
export function useReorder(onMove: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null)
  const handleOf = (index: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      setDrag({ from: index, to: index })
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (drag === null) return
      const items = [...(event.currentTarget.closest('ol')?.children ?? [])]
      const to = items.findIndex((item) => {
        const { top, bottom } = item.getBoundingClientRect()
        return event.clientY >= top && event.clientY < bottom
      })
      if (to === -1 || to === drag.to) return
      items[to]?.scrollIntoView({ block: 'nearest' })
      setDrag({ ...drag, to })
    },
    onPointerUp: () => {
      if (drag !== null && drag.to !== drag.from) onMove(drag.from, drag.to)
      setDrag(null)
    },
    onPointerCancel: () => setDrag(null),
  })
  return { drag, handleOf }
}
