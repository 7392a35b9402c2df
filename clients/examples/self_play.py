"""Self-play with numpy alone: a linear policy learns Palais Royal from games against itself (REINFORCE).

    pip install 'palatine[rl]'
    python clients/examples/self_play.py --games 300

The policy is one weight for each feature of an action, so it is weak: it knows what an action is, and nothing of the
board. It shows the loop; put a network in the place of `rate`, and give it the observation too.
"""

import argparse

import numpy as np

from palatine_server.environments.game_env import GameEnv


class LinearPolicy:
    """Chooses an action with the probability softmax(features · weights)."""

    def __init__(self, size, seed):
        self.weights, self.rng = np.zeros(size), np.random.default_rng(seed)

    def rate(self, observation):
        rows = observation["action_features"][: observation["action_mask"].sum()]
        return np.sign(rows) * np.log1p(np.abs(rows))  # so that large amounts do not drown small ones

    def choose(self, observation):
        """Return an action, and the gradient of the logarithm of its probability."""
        rows = self.rate(observation)
        scores = np.exp(rows @ self.weights - (rows @ self.weights).max())
        odds = scores / scores.sum()
        action = int(self.rng.choice(len(rows), p=odds))
        return action, rows[action] - odds @ rows


def play(env, policies, seed):
    """Play a game; return the rewards and the summed gradients of all agents."""
    env.reset(seed=seed)
    rewards, gradients = {}, dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        rewards[agent] = reward
        if terminated or truncated:
            env.step(None)
            continue
        action, gradient = policies[agent].choose(observation)
        gradients[agent] = gradients[agent] + gradient
        env.step(action)
    return rewards, gradients


def train(env, games, rate=0.05, seed=1):
    """Return a policy that has learned from games against itself."""
    policy = LinearPolicy(env.encoder.action_size, seed)
    for game in range(games):
        rewards, gradients = play(env, dict.fromkeys(env.possible_agents, policy), seed=1000 + game)
        for agent, reward in rewards.items():
            step = reward * gradients[agent]
            policy.weights += rate * step / (1.0 + np.linalg.norm(step))
    return policy


def measure(env, policy, games, seed=2):
    """Return the share of the first places of a policy against random ones; the policy takes every seat in turn."""
    won = 0.0
    for game in range(games):
        mine = env.possible_agents[game % env.players]
        policies = {agent: LinearPolicy(env.encoder.action_size, seed + game) for agent in env.possible_agents}
        rewards, _ = play(env, {**policies, mine: policy}, seed=500_000 + game)
        won += rewards[mine] + 1 / env.players
    return won / games


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="palais_royal")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--tests", type=int, default=100)
    chosen = parser.parse_args()
    env = GameEnv(chosen.game)
    policy = train(env, chosen.games)
    share = measure(env, policy, chosen.tests)
    print(f"{share:.0%} of {chosen.tests} games won against random play, after {chosen.games} games")  # noqa: T201
