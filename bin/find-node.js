// Prints the path of the Node to run Parvis on; bin/node calls it.
import { findNode } from './bundled-node.js'

try {
  console.log(findNode())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
