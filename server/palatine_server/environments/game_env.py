"""The PettingZoo environment (AEC) of any game.

An action is a number: the place of an action in the offer of the agent, whose mask and features are in its observation.
A fixed catalogue of actions would have to list combinations that hardly ever occur, such as every tile on every cell,
and would be another one for each game and number of players. Features work for all games, also for those of other
packages, and what an agent learns of one action holds for similar ones.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv  # type: ignore[import-untyped]

from ..games.kit import Game, Seat
from ..games.named_games import load_game
from ..games.registry import GAMES
from ..simulation import create_draw, derive_seed
from .encoder import GameEncoder
from .episode import Episode, RewardKind
from .game_text import describe_seat
from .offer_window import OfferWindow

Observation = dict[str, NDArray[Any]]
WIDTH = 512  # places of the mask; larger offers are chosen in groups
SEED_BITS = 63  # of a seed that nobody chose


class IllegalAction(ValueError):  # noqa: N818 (a mistake of the agent)
    """An action that the mask does not allow; nothing has changed."""


class GameEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """A game as a PettingZoo environment, whose agents are `player_0`, `player_1` and so on."""

    def __init__(
        self,
        game: Game | str,
        players: int | None = None,
        *,
        options: Mapping[str, Any] | None = None,
        width: int = WIDTH,
        reward: RewardKind = "win",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = load_game(game, GAMES) if isinstance(game, str) else game
        self.players = players or self.game.players[0]
        self.encoder = GameEncoder(self.game, self.players, options)
        self.metadata = {"name": f"{self.game.name}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode, self.possible_agents = render_mode, [f"player_{seat}" for seat in range(self.players)]
        self.agents: list[str] = []
        self._options, self._width, self._reward = options, width, reward
        self._encoders: dict[str, GameEncoder] = {}  # of resampled environments, by agent; encoders remember secrets
        self._run, self._number = -1, 0  # the seed of the run, and the number of the next episode in it
        self._episode: Episode | None = None
        self._observation_spaces = {agent: self._build_observation_space() for agent in self.possible_agents}
        self._action_spaces = {agent: spaces.Discrete(width) for agent in self.possible_agents}

    def _build_observation_space(self) -> spaces.Dict:
        encoder, width = self.encoder, self._width
        return spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, (encoder.observation_size,), np.float32),
                "action_mask": spaces.Box(0, 1, (width,), np.int8),
                "action_features": spaces.Box(-np.inf, np.inf, (width, encoder.action_size), np.float32),
            }
        )

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of what `observe` returns."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the numbers of the places of the mask."""
        return self._action_spaces[agent]

    @property
    def episode(self) -> Episode:
        """The running game."""
        if self._episode is None:
            raise RuntimeError("Call reset() first.")
        return self._episode

    # PettingZoo

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game: that of the seed, or else the next one of the run that a seed has begun."""
        if seed is not None or self._run < 0:
            self._run = secrets.randbits(SEED_BITS) if seed is None else seed
            self._number = 0
        game_seed = derive_seed(self._run, self._number)
        self._number += 1
        self.load(Episode(self.game, self.players, game_seed, self._options))

    def load(self, episode: Episode) -> None:
        """Go on from an episode, for example from a position of your own."""
        self._episode, self.agents = episode, [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._open_window()

    def _open_window(self) -> None:
        """Turn to the next agent, or end the episode."""
        episode = self.episode
        self.window = OfferWindow(episode.offer, self._width)
        if episode.seat is not None:
            self.agent_selection = self.possible_agents[episode.seat]
            return
        for seat, reward in enumerate(episode.rewards(self._reward)):
            self.rewards[self.possible_agents[seat]] = reward
        self.terminations = dict.fromkeys(self.agents, not episode.is_cut_off)
        self.truncations = dict.fromkeys(self.agents, episode.is_cut_off)
        self.agent_selection = self.agents[0]

    def step(self, action: int | None) -> None:
        """Carry out an action of the agent whose turn it is, or let it choose in a group of actions."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = self._read(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.window.step > 1:
            self.window = self.window.open_group(number)
        else:
            self.episode.act(self.game.read_action(self.window.actions[number]))
            self._open_window()
        self._accumulate_rewards()

    def _read(self, action: Any) -> int:
        is_number = isinstance(action, int | np.integer) and not isinstance(action, bool)
        if not is_number or not 0 <= action < len(self.window):
            raise IllegalAction(f"{action!r} is not allowed: choose a number from 0 to {len(self.window) - 1}.")
        return int(action)

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees; its mask is empty while another agent decides."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(self._width, np.int8)
        if self._decides(seat):
            mask[: len(self.window)] = 1
            features = self.encoder.encode_window(self.window, seat)
        else:
            features = np.zeros((self._width, self.encoder.action_size), np.float32)
        observation = self.encoder.encode_view(self.episode.view(seat))
        return {"observation": observation, "action_mask": mask, "action_features": features}

    def _decides(self, seat: Seat) -> bool:
        return self.episode.seat == seat

    def render(self) -> str:
        """Return what the agent whose turn it is sees, in words."""
        return self.describe(self.agent_selection)

    def close(self) -> None:
        """Forget the running game."""
        self._episode = None

    # Beyond PettingZoo

    def describe(self, agent: str, lang: str = "en") -> str:
        """Return what an agent sees in words, in English or German."""
        return describe_seat(self.game, self.players, self.episode.view(self.possible_agents.index(agent)), lang)

    def list_actions(self) -> list[dict[str, Any]]:
        """Return the actions behind the mask as plain data; of a group, the first one."""
        return self.window.actions

    def copy(self) -> GameEnv:
        """Return an independent environment in the same position, for a search."""
        other = self._copy_settings()
        other.load(self.episode.copy())
        other._restore(self)
        other.window = self.window
        return other

    def resample(self, agent: str, seed: int | None = None) -> GameEnv:
        """Return an independent environment that an agent cannot tell from this one; what it cannot know is drawn anew.

        The same seed draws the same. Raises GameError if the game has no `redraw`.
        """
        seat, number = self.possible_agents.index(agent), secrets.randbits(SEED_BITS) if seed is None else seed
        episode = self.episode.resample(seat, create_draw(f"resample/{number}"))
        other = self._copy_settings()
        other.encoder, other._encoders = self._find_encoder(agent), {}
        other._run, other._number = -1, 0
        other.load(episode)
        other._restore(self)
        if self._decides(seat):
            other.window = self.window  # it may have chosen a group of actions
        return other

    def _find_encoder(self, agent: str) -> GameEncoder:
        """Return the encoder of the environments that are resampled for an agent."""
        if agent not in self._encoders:
            self._encoders[agent] = GameEncoder(self.game, self.players, self._options)
        return self._encoders[agent]

    def _copy_settings(self) -> GameEnv:
        """Return an environment without a game that shares the encoder and the spaces."""
        other = GameEnv.__new__(GameEnv)
        other.__dict__.update(self.__dict__)
        return other

    def _restore(self, other: GameEnv) -> None:
        """Take over what the agents of another environment have been given."""
        self.agents, self.agent_selection = [*other.agents], other.agent_selection
        self.rewards, self._cumulative_rewards = {**other.rewards}, {**other._cumulative_rewards}
        self.terminations, self.truncations = {**other.terminations}, {**other.truncations}
        self.infos = {agent: {} for agent in self.agents}
