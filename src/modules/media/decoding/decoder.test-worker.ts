/** A process that does as its file says: it replies, ends, hangs, or says that it has failed. */
process.on('disconnect', () => process.exit())
process.on('message', (bytes: Uint8Array) => {
  const word = Buffer.from(bytes).toString()
  if (word === 'end') process.exit(3)
  if (word === 'hang') for (;;);
  if (word === 'fail') process.send?.({ broken: 'out of order' })
  else process.send?.({ decoded: { width: process.pid, height: 1, variants: [] } })
})
process.send?.({ ready: true })
