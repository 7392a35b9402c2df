// CHANCE.md in JavaScript, written from that page alone: reads the vectors on standard input, prints what it gets.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

function* words(seed, drawing, label) {
  for (let block = 0; ; block++) {
    const bytes = createHmac('sha256', Buffer.from(seed, 'hex')).update(`${drawing}/${label}/${block}`).digest()
    for (let at = 0; at < 32; at += 8) yield bytes.readBigUInt64BE(at)
  }
}

function below(n, source) {
  const all = 1n << 64n, limit = all - (all % BigInt(n))
  for (;;) {
    const word = source.next().value
    if (word < limit) return Number(word % BigInt(n))
  }
}

function shuffle(items, source) {
  for (let i = items.length - 1; i > 0; i--) {
    const j = below(i + 1, source);
    [items[i], items[j]] = [items[j], items[i]]
  }
  return items
}

const draw = (items, count, source) => Array.from({ length: count }, () => items.splice(below(items.length, source), 1)[0])

const results = JSON.parse(readFileSync(0, 'utf8')).map(({ seed, drawings }) => drawings.map(({ label, kind, n, count }, i) => {
  const source = words(seed, i + 1, label), items = kind === 'below' ? [] : Array.from({ length: n }, (_, item) => item)
  return kind === 'below' ? below(n, source) : kind === 'draw' ? draw(items, count, source) : shuffle(items, source)
}))
console.log(JSON.stringify(results))
