import { drawCaptcha, type Random } from './drawing.ts';
import { alphabet } from './glyphs.ts';
import { encodePng } from './png.ts';

export interface Picture {
  readonly answer: string;
  readonly png: Buffer;
}

const characters = 5;
const kept = 64;
/** Pictures drawn a second. Drawing takes milliseconds, which a flood must not be able to spend at will. */
const drawnPerSecond = 20;

/** Draws pictures for captchas, and under a flood hands out recent ones again, each in a token of its own. */
export class Pictures {
  readonly #random: Random;
  readonly #ring: Picture[] = [];
  #second = 0;
  #drawn = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** @param now milliseconds */
  next(now: number): Picture {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#drawn = 0;
    }
    const again = this.#ring[Math.floor(this.#random() * this.#ring.length)];
    if (this.#drawn >= drawnPerSecond && again !== undefined) return again;
    this.#drawn++;
    const picture = this.#draw();
    this.#ring.push(picture);
    if (this.#ring.length > kept) this.#ring.shift();
    return picture;
  }

  #draw(): Picture {
    const character = () => alphabet[Math.floor(this.#random() * alphabet.length)] ?? 'X';
    const answer = Array.from({ length: characters }, character).join('');
    return { answer, png: encodePng(drawCaptcha(answer, this.#random)) };
  }
}
